package io.ratelimit.core.broadcast;

import io.ratelimit.store.HostGroup;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What a host tells its neighbours in the tree in one period, by whom it is for. Not thread-safe. */
final class Letters implements RelayedSum.Outbox {

    /** So long after it was told for the first time, a host may not have heard yet how a bucket stands. */
    static final long YOUNG_NANOS = 5_000_000_000L;

    private final HostGroup group;
    private final ItemMaker items;
    private final Postmarks postmarks;
    private final long nanos;
    private final Map<RelayedSum, long[][]> states = new HashMap<>();
    private final Map<UUID, List<ConsumptionNews.Item>> byHost = new LinkedHashMap<>();

    /**
     * Begins.
     *
     * @param nanos the time
     */
    Letters(HostGroup group, ItemMaker items, Postmarks postmarks, long nanos) {
        this.group = group;
        this.items = items;
        this.postmarks = postmarks;
        this.nanos = nanos;
    }

    long nanos() {
        return nanos;
    }

    /**
     * Who begins to hear of a bucket needs to know how it stands.
     *
     * @return whether it may be told now, where it was not to be told before
     */
    boolean prepare(RelayedSum sum, @Nullable UUID above) {
        if (states.containsKey(sum) || !sum.hasYoungEdge(above, nanos, YOUNG_NANOS)) {
            return false;
        }
        states.put(sum, items.statesOf(sum.bucket(), sum.place().key()));
        return true;
    }

    @Override
    public void add(RelayedSum sum, RelayedSum.Told told) {
        boolean young = told.epochNanos() < YOUNG_NANOS;
        byHost.computeIfAbsent(told.host(), host -> new ArrayList<>())
                .add(new ConsumptionNews.Item(
                        sum.form(),
                        sum.place().key(),
                        told.epoch(),
                        told.epochNanos(),
                        told.tally(),
                        told.ageNanos(),
                        young ? states.getOrDefault(sum, ItemMaker.NO_STATES) : ItemMaker.NO_STATES));
    }

    void send() {
        byHost.forEach((host, told) -> {
            PeerNewsWriter writer = letter();
            PeerNews.Sender sender = postmarks.next(host, nanos);
            for (ConsumptionNews.Item item : told) {
                if (!writer.add(new PeerNews.Entry(sender, item))) {
                    group.send(host, writer.toBytes());
                    sender = postmarks.next(host, nanos);
                    writer = letter();
                    writer.add(new PeerNews.Entry(sender, item));
                }
            }
            group.send(host, writer.toBytes());
        });
    }

    private PeerNewsWriter letter() {
        return new PeerNewsWriter(group.self(), PeerNews.Kind.RELAYED, group.mostBytes());
    }
}
