package io.ratelimit.core.broadcast;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.EventualBucketStore;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.Refilling;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.HostGroup;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by this host's buckets, and tells the other hosts what each client has spent here. What was spent elsewhere is
 * taken from the buckets here, which may then owe tokens: an excess is paid back by waiting. Nobody waits for a hop, and
 * in the long run the limit holds for all hosts together; until all know, each host may let a burst of its own pass.
 *
 * <p>Of a client who spends little, the others are told nothing: all hosts together are silent about less than a hundredth of
 * what he may spend, in the long run and at once. Where each host's part of that is less than a token, all is told.
 *
 * <p>A bucket owes at most what the other hosts can have let pass before they knew, a burst each, so that nobody is locked
 * out for longer after hosts did not hear one another. Thread-safe.
 */
public final class BroadcastingBucketStore implements EventualBucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(BroadcastingBucketStore.class);

    private final LocalBucketStore local;
    private final MessageBroadcaster broadcaster;
    private final TimeSource timeSource;
    private final long origin;
    private final ConsumptionLedger ledger;
    private final ItemMaker items;
    private final OtherHosts others;
    private final AtomicBoolean complained = new AtomicBoolean();
    private volatile Telling telling;
    private volatile ClientNames names;

    /**
     * Begins to tell and to hear.
     *
     * @param local this host's table; stays its owner's to close
     * @param broadcaster the way to the other hosts; stays its owner's to close
     * @param timeSource this host's clocks
     */
    public BroadcastingBucketStore(LocalBucketStore local, MessageBroadcaster broadcaster, TimeSource timeSource) {
        this(local, broadcaster, timeSource, new SecureRandom().nextLong());
    }

    /**
     * Begins to tell and to hear, in a simulation that is to run in the same way again.
     *
     * @param local this host's table; stays its owner's to close
     * @param broadcaster the way to the other hosts; stays its owner's to close
     * @param timeSource this host's clocks
     * @param origin what this host calls itself, as no other does and it has not before; chance begins with it
     */
    public BroadcastingBucketStore(
            LocalBucketStore local, MessageBroadcaster broadcaster, TimeSource timeSource, long origin) {
        this.origin = origin;
        this.local = local;
        this.broadcaster = broadcaster;
        this.timeSource = timeSource;
        this.ledger = new ConsumptionLedger(broadcaster::hosts, local.maxBuckets());
        this.items = new ItemMaker(local);
        this.others = new OtherHosts(local, broadcaster::hosts);
        this.telling = new MeshTelling(origin, items, others, broadcaster, timeSource.nanoTime());
        this.names = new ClientNames(broadcaster.secret());
        // What is told from now on is heard from its beginning.
        telling();
        broadcaster.listen(this::hear);
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        ClientNames now = names;
        List<NamedClient> clients = new ArrayList<>(charges.size());
        List<Charge> named = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            NamedClient client = now.of(charge.bucket().service(), charge.client());
            clients.add(client);
            named.add(new Charge(
                    client.identifier(), charge.bucket(), charge.cost(), charge.kind(), charge.maxWaitNanos()));
        }
        return local.spend(named, timeout).thenApply(spent -> noted(charges, clients, spent));
    }

    private SpendOutcome noted(List<Charge> charges, List<NamedClient> clients, SpendOutcome spent) {
        long now = timeSource.nanoTime();
        List<ChargeOutcome> outcomes = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            ChargeOutcome outcome = spent.charges().get(i);
            Receipt receipt = outcome.receipt();
            if (receipt != null) {
                BucketSpec bucket = charge.bucket();
                receipt = new BroadcastReceipt(receipt, bucket, clients.get(i).key(), now);
                ledger.spent(bucket, clients.get(i).key(), charge.cost(), now);
            }
            outcomes.add(new ChargeOutcome(charge, outcome.limits(), receipt));
        }
        return new SpendOutcome(spent.allowed(), spent.degraded(), outcomes);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        BroadcastReceipt made = (BroadcastReceipt) receipt;
        forget(made, tokens);
        return local.refund(made.local(), tokens);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        BroadcastReceipt made = (BroadcastReceipt) receipt;
        forget(made, tokens);
        return local.undo(made.local(), tokens);
    }

    /** All but the whole tokens that have come back by themselves: the others have let that time pass too. */
    private void forget(BroadcastReceipt made, long tokens) {
        long now = timeSource.nanoTime();
        long refilled = new Refilling(made.bucket()).whole(now - made.nanos());
        if (tokens > refilled) {
            ledger.givenBack(made.bucket(), made.key(), tokens - refilled, now);
        }
    }

    @Override
    public synchronized void flush() {
        long now = timeSource.nanoTime();
        byte[] secret = broadcaster.secret();
        if (!names.isUnder(secret)) {
            names = new ClientNames(secret);
        }
        telling().tell(ledger.toTell(), now);
    }

    /** A group may become known after the store has begun, and stays then. */
    private Telling telling() {
        Telling known = telling;
        HostGroup group = known instanceof MeshTelling ? broadcaster.group() : null;
        return group == null ? known : begin(group);
    }

    private synchronized Telling begin(HostGroup group) {
        if (telling instanceof MeshTelling) {
            telling = switch (group.topology()) {
                case GOSSIP -> new GossipTelling(origin, items, others, group, timeSource.nanoTime());
                case LEADER -> new LeaderTelling(origin, ledger, items, others, group, timeSource.nanoTime());
            };
        }
        return telling;
    }

    private void hear(byte[] message) {
        try {
            Telling now = telling();
            if (now.isFor(message)) {
                now.hear(message, timeSource.nanoTime());
            }
        } catch (IOException | RuntimeException e) {
            if (!complained.getAndSet(true)) {
                LOG.warn(
                        "What another host has told could not be read and is not heard: all hosts need the same version of"
                                + " ratelimit. This is said once",
                        e);
            }
        }
    }

    @Override
    public void sweep() {
        long now = timeSource.nanoTime();
        ledger.sweep(now);
        telling().sweep(now);
    }

    /** Tells the other hosts the last of it. */
    @Override
    public void close() {
        flush();
    }
}
