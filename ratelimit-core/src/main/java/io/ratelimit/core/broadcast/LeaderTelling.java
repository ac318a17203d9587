package io.ratelimit.core.broadcast;

import io.ratelimit.core.bucket.Refilling;
import io.ratelimit.core.bucket.SpentElsewhere;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.HostGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Each host tells the leader of a range of keys what was spent on it and hears what all others have spent. Where there are
 * many hosts, it does by way of others ({@link LeaderTree}), which add up what they are told, so that no host has more than
 * a few to listen to. A host that leads has a bucket like all others, by which it decides.
 */
final class LeaderTelling implements Telling {

    /** What nobody adds to is told again, and again after four times as long, since messages get lost. */
    private static final long FIRST_REPEAT_NANOS = 250_000_000L;

    private static final int REPEATS = 4;

    private static final int MOST_SUMS = 1_000_000;

    private final ConsumptionLedger ledger;
    private final ItemMaker items;
    private final OtherHosts others;
    private final HostGroup group;
    private final HeardConsumption below;
    private final Deliveries deliveries = new Deliveries();
    private final ConcurrentMap<Place, RelayedSum> sums = new ConcurrentHashMap<>();
    private final Room room = new Room(
            MOST_SUMS,
            "What clients spend of more than {} buckets is not passed on to other hosts until some are forgotten");
    private final Queue<RelayedSum> untold = new ConcurrentLinkedQueue<>();
    private final Queue<Repeat> repeats = new PriorityQueue<>();
    private final Postmarks postmarks;
    private final AtomicLong epochs = new AtomicLong();
    private volatile Leaders leaders;

    /**
     * What is told once more.
     *
     * @param toldNanos when it was told for the first time
     * @param afterNanos how long after that it is told again
     */
    private record Repeat(RelayedSum sum, long toldNanos, long afterNanos, int left) implements Comparable<Repeat> {

        private boolean isDue(long nanos) {
            return nanos - toldNanos >= afterNanos;
        }

        private Repeat next() {
            return new Repeat(sum, toldNanos, 4 * afterNanos, left - 1);
        }

        @Override
        public int compareTo(Repeat other) {
            return Long.signum(toldNanos + afterNanos - other.toldNanos - other.afterNanos);
        }
    }

    /**
     * Begins to tell.
     *
     * @param origin what this host calls itself
     * @param ledger what was spent on this host
     * @param nanos the time
     */
    LeaderTelling(
            long origin, ConsumptionLedger ledger, ItemMaker items, OtherHosts others, HostGroup group, long nanos) {
        this.postmarks = new Postmarks(origin);
        this.ledger = ledger;
        this.items = items;
        this.others = others;
        this.group = group;
        this.below = new HeardConsumption(nanos);
        this.leaders = Leaders.among(group, nanos);
    }

    @Override
    public void tell(List<Consumption> spent, long nanos) {
        Leaders known = leaders.now(group, nanos);
        Letters letters = new Letters(group, items, postmarks, nanos);
        Set<RelayedSum> telling = new LinkedHashSet<>();
        if (known != leaders) {
            leaders = known;
            postmarks.keep(group.members());
            telling.addAll(withOtherAbove(known, nanos));
        }
        for (RelayedSum next = untold.poll(); next != null; next = untold.poll()) {
            telling.add(next);
        }
        for (Consumption consumption : spent) {
            RelayedSum sum = sumOf(consumption, nanos);
            if (sum == null) {
                // As if it had been told, so that he is not kept in mind for it.
                consumption.tell(nanos);
                continue;
            }
            prepare(letters, sum, known);
            sum.addOwn(consumption.tell(nanos), nanos);
            telling.add(sum);
        }
        telling.addAll(repeat(letters, known));
        for (RelayedSum sum : telling) {
            prepare(letters, sum, known);
            sum.tell(known.above(sum), nanos, ConsumptionLedger.IDLE_NANOS, letters);
            repeats.add(new Repeat(sum, nanos, FIRST_REPEAT_NANOS, REPEATS));
        }
        letters.send();
    }

    /**
     * What was spent lately and another host is to hear of now. The one before may have been dead or frozen for as long as it
     * took to notice, so that nobody else knows how the buckets stand here.
     */
    private List<RelayedSum> withOtherAbove(Leaders known, long nanos) {
        return sums.values().stream()
                .filter(sum -> !sum.isIdle(nanos, Letters.YOUNG_NANOS) && sum.hasOtherAbove(known.above(sum)))
                .toList();
    }

    private @Nullable RelayedSum sumOf(Consumption consumption, long nanos) {
        BucketSpec bucket = consumption.bucket();
        return sumOf(bucket, items.formOf(bucket), consumption.key(), nanos);
    }

    /**
     * How the bucket stands is looked up before what was spent is added: what is in the sum may be missing there, and not the
     * reverse. So what this host would be silent about belongs to it as well.
     *
     * @return whether there was something new
     */
    private boolean prepare(Letters letters, RelayedSum sum, Leaders known) {
        if (!letters.prepare(sum, known.above(sum))) {
            return false;
        }
        Consumption.Told own = ledger.tellAll(sum.place(), letters.nanos());
        return own != null && sum.addOwn(own, letters.nanos());
    }

    /** What must be told instead, since there is something new. */
    private List<RelayedSum> repeat(Letters letters, Leaders known) {
        List<RelayedSum> grown = new ArrayList<>();
        while (!repeats.isEmpty() && repeats.element().isDue(letters.nanos())) {
            Repeat due = repeats.remove();
            if (prepare(letters, due.sum(), known)) {
                grown.add(due.sum());
                continue;
            }
            if (due.sum().repeat(due.toldNanos(), letters.nanos(), letters) && due.left() > 1) {
                repeats.add(due.next());
            }
        }
        return grown;
    }

    @Override
    public void hear(byte[] message, long nanos) throws IOException {
        PeerNews news = PeerNews.of(message);
        if (news.kind() != PeerNews.Kind.RELAYED) {
            // Of a host that has another topology: what it tells may have come from here.
            return;
        }
        Leaders known = leaders;
        PeerNews.Sender sender = null;
        Delivery delivery = Delivery.unmarked(nanos);
        for (PeerNews.Entry entry : news.entries()) {
            if (!entry.sender().equals(sender)) {
                sender = entry.sender();
                delivery = deliveries.arrived(sender.origin(), sender.mark(), nanos);
            }
            hear(known.of(entry.item().key()), news.from(), entry, delivery);
        }
    }

    private void hear(Leaders.Range range, UUID from, PeerNews.Entry entry, Delivery delivery) {
        boolean isBelow = range.tree().isBelow(from);
        if (!isBelow && !from.equals(range.tree().above())) {
            // Another host tells the same.
            return;
        }
        ConsumptionNews.Item item = entry.item();
        BucketSpec bucket = others.bucketOf(item.bucket());
        if (bucket == null) {
            return;
        }
        HeardConsumption heard = isBelow ? below : range.heardAbove();
        HeardConsumption.News news = heard.hear(entry.sender().origin(), bucket, item, delivery);
        RelayedSum sum = sumOf(bucket, item.bucket(), item.key(), delivery.nanos());
        // Before it is taken from the bucket, for whoever is told how the bucket stands is told the sum as well.
        if (sum != null && add(sum, isBelow ? from : null, tokens(bucket, news), item, delivery)) {
            untold.add(sum);
        }
        long lacking = others.take(bucket, item, delivery, news, true);
        // Hosts below hear of it as of what is spent. The host above knows, and so do those whom it tells.
        if (sum != null && !isBelow && sum.addFromAbove(lacking, delivery.nanos(), delivery.nanos())) {
            untold.add(sum);
        }
    }

    private static boolean add(
            RelayedSum sum, @Nullable UUID below, long tokens, ConsumptionNews.Item item, Delivery delivery) {
        long since = delivery.sentNanos() - item.ageNanos();
        return below == null
                ? sum.addFromAbove(tokens, since, delivery.nanos())
                : sum.addFromBelow(below, tokens, since, delivery.nanos());
    }

    /** What has refilled during a standstill is forgiven everywhere. */
    private static long tokens(BucketSpec bucket, HeardConsumption.News news) {
        SpentElsewhere spent = news.spent();
        long standstill = spent.standstillNanos();
        return standstill == 0
                ? spent.tokens()
                : Math.max(0, spent.tokens() - new Refilling(bucket).atMost(standstill));
    }

    private @Nullable RelayedSum sumOf(BucketSpec bucket, SpecForm form, UUID key, long nanos) {
        Place place = new Place(bucket.name(), key);
        RelayedSum known = sums.get(place);
        if (known == null) {
            if (room.isFullAt(sums.size())) {
                return null;
            }
            known = sums.computeIfAbsent(
                    place, made -> new RelayedSum(made, bucket, form, epochs::incrementAndGet, nanos));
        }
        known.follow(bucket, form);
        return known;
    }

    @Override
    public void sweep(long nanos) {
        below.sweep(nanos);
        leaders.sweep(nanos);
        deliveries.sweep(nanos);
        // Longer than a client is in one epoch without anything being added: it would be added as a whole.
        sums.values().removeIf(sum -> sum.isIdle(nanos, HeardConsumption.KEPT_NANOS));
        room.leaves(sums.size());
    }
}
