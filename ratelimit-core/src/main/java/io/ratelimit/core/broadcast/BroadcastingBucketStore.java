package io.ratelimit.core.broadcast;

import com.google.common.collect.MapMaker;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.EventualBucketStore;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.Refilling;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by this host's buckets, and tells the other hosts what each client has spent here. What was spent elsewhere is
 * taken from the buckets here, which may then owe tokens: an excess is paid back by waiting. Nobody waits for a hop, and
 * in the long run the limit holds for all hosts together; until all know, each host may let a burst of its own pass.
 *
 * <p>A bucket owes at most what the other hosts can have let pass before they knew, a burst each, so that nobody is locked
 * out for longer after hosts did not hear one another. Thread-safe.
 */
public final class BroadcastingBucketStore implements EventualBucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(BroadcastingBucketStore.class);

    /** Whoever begins to hear of an epoch that is older than this needs to know how the bucket stands. */
    private static final long YOUNG_NANOS = 1_000_000_000L;

    private static final int MOST_ITEMS = 500;

    private final LocalBucketStore local;
    private final MessageBroadcaster broadcaster;
    private final TimeSource timeSource;
    private final long origin = new SecureRandom().nextLong();
    private long sent;
    private final ConsumptionLedger ledger = new ConsumptionLedger();
    private final HeardConsumption heard;
    private final Deliveries deliveries = new Deliveries();
    private final ConcurrentMap<BucketSpec, SpecForm> forms =
            new MapMaker().weakKeys().makeMap();
    private final ConcurrentMap<SpecForm, BucketSpec> others =
            new MapMaker().weakValues().makeMap();
    private volatile ClientNames names;

    /**
     * Begins to tell and to hear.
     *
     * @param local this host's table; stays its owner's to close
     * @param broadcaster the way to the other hosts; stays its owner's to close
     * @param timeSource this host's clocks
     */
    public BroadcastingBucketStore(LocalBucketStore local, MessageBroadcaster broadcaster, TimeSource timeSource) {
        this.local = local;
        this.broadcaster = broadcaster;
        this.timeSource = timeSource;
        this.heard = new HeardConsumption(timeSource.nanoTime());
        this.names = new ClientNames(broadcaster.secret());
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
        return local.spend(named, timeout).thenApply(spent -> tell(charges, clients, spent));
    }

    private SpendOutcome tell(List<Charge> charges, List<NamedClient> clients, SpendOutcome spent) {
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

    /** Only what cannot have come back by itself: the others have let that time pass too. */
    private void forget(BroadcastReceipt made, long tokens) {
        long elapsed = timeSource.nanoTime() - made.nanos();
        long refilled = new Refilling(made.bucket()).atMost(elapsed);
        if (tokens > refilled) {
            ledger.givenBack(made.bucket(), made.key(), tokens - refilled);
        }
    }

    @Override
    public void flush() {
        long now = timeSource.nanoTime();
        byte[] secret = broadcaster.secret();
        if (!names.isUnder(secret)) {
            names = new ClientNames(secret);
        }
        List<ConsumptionNews.Item> items = new ArrayList<>();
        for (Consumption consumption : ledger.toTell(now)) {
            items.add(itemOf(consumption, now));
            if (items.size() == MOST_ITEMS) {
                send(items);
                items = new ArrayList<>();
            }
        }
        if (!items.isEmpty()) {
            send(items);
        }
    }

    private void send(List<ConsumptionNews.Item> items) {
        broadcaster.broadcast(
                new ConsumptionNews(origin, new Postmark(sent++, timeSource.nanoTime()), items).toBytes());
    }

    private ConsumptionNews.Item itemOf(Consumption consumption, long now) {
        BucketSpec bucket = consumption.bucket();
        long age = consumption.age(now);
        long[][] states = age < YOUNG_NANOS
                ? null
                : local.departing(NamedClient.of(consumption.key()).identifier(), bucket);
        Consumption.Told told = consumption.tell(now);
        return new ConsumptionNews.Item(
                forms.computeIfAbsent(bucket, SpecForm::of),
                consumption.key(),
                consumption.epoch(),
                age,
                told.spent(),
                told.ageNanos(),
                states == null ? new long[0][] : states);
    }

    private void hear(byte[] message) {
        try {
            ConsumptionNews news = ConsumptionNews.of(message);
            if (news.origin() != origin) {
                hear(news);
            }
        } catch (IOException | RuntimeException e) {
            LOG.debug("What another host has told could not be read", e);
        }
    }

    private void hear(ConsumptionNews message) {
        long now = timeSource.nanoTime();
        Postmark mark = message.mark();
        Delivery delivery = mark == null ? Delivery.unmarked(now) : deliveries.arrived(message.origin(), mark, now);
        message.items().forEach(item -> hear(message.origin(), item, delivery));
    }

    private void hear(long from, ConsumptionNews.Item item, Delivery delivery) {
        BucketSpec bucket = others.computeIfAbsent(item.bucket(), BroadcastingBucketStore::bucketOf);
        HeardConsumption.News news = heard.hear(from, bucket, item, delivery);
        NamedClient client = NamedClient.of(item.key());
        switch (news.meaning()) {
            case MORE -> {
                if (news.spent().tokens() > 0) {
                    int others = Math.max(1, broadcaster.hosts() - 1);
                    local.owe(client.identifier(), bucket, news.spent(), others);
                }
            }
            case STANDING -> {
                // A state that was under way for long has refilled since.
                if (!delivery.isLate()
                        && item.states().length == bucket.limits().size()) {
                    local.haveAtMost(client.identifier(), bucket, item.states());
                }
            }
            case NOTHING -> {}
        }
    }

    /** Services never meet, though this one does not say which it is of: the service is in the names of clients. */
    private static BucketSpec bucketOf(SpecForm form) {
        SpecForm.Content content = form.decode();
        return new BucketSpec("", content.name(), content.version(), content.limits(), StorePolicy.UNSET);
    }

    @Override
    public void sweep() {
        long now = timeSource.nanoTime();
        ledger.sweep(now);
        heard.sweep(now);
        deliveries.sweep(now);
    }

    /** Tells the other hosts the last of it. */
    @Override
    public void close() {
        flush();
    }
}
