package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.HostGroup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Each host tells the leader of a range of keys what was spent on it and hears what all others have spent. Where there are
 * many hosts, it does by way of others ({@link LeaderTree}), which add up what they are told, so that no host has more than
 * a few to listen to. A host that leads has a bucket like all others, by which it decides.
 */
final class LeaderTelling implements Telling {

    /** By then the others have heard, and what they have said before has come. */
    private static final long UNHEARD_NANOS = 500_000_000L;

    private final ConsumptionLedger ledger;
    private final ItemMaker items;
    private final OtherHosts others;
    private final HostGroup group;
    private final HeardConsumption below;
    private final Deliveries deliveries = new Deliveries();
    private final RelayedSums sums;
    private final Queue<RelayedSum> untold = new ConcurrentLinkedQueue<>();
    private final SumRepeats repeats = new SumRepeats();
    private final Postmarks postmarks;
    private volatile Leaders leaders;

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
        this.sums = new RelayedSums(others.mostSums());
        this.group = group;
        this.below = new HeardConsumption(nanos, others.mostSums());
        this.leaders = Leaders.among(group, others.mostSums(), nanos);
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
            repeats.begin(sum, nanos);
        }
        letters.send();
    }

    /**
     * What was spent lately and another host is to hear of now. The one before may have been dead or frozen for as long as it
     * took to notice, so that nobody else knows how the buckets stand here.
     */
    private List<RelayedSum> withOtherAbove(Leaders known, long nanos) {
        return sums.matching(sum -> !sum.isIdle(nanos, Letters.YOUNG_NANOS) && sum.hasOtherAbove(known.above(sum)));
    }

    private @Nullable RelayedSum sumOf(Consumption consumption, long nanos) {
        BucketSpec bucket = consumption.bucket();
        return sums.of(bucket, items.formOf(bucket), consumption.key(), nanos);
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
        for (SumRepeats.Repeat due : repeats.due(letters.nanos())) {
            if (prepare(letters, due.sum(), known)) {
                grown.add(due.sum());
            } else if (due.sum().repeat(due.toldNanos(), letters.nanos(), letters)) {
                repeats.goOn(due, letters.nanos());
            }
        }
        return grown;
    }

    @Override
    public boolean isFor(byte[] message) {
        return PeerNews.isOf(HostGroup.Topology.LEADER, message);
    }

    @Override
    public void hear(byte[] message, long nanos) throws IOException {
        PeerNews news = PeerNews.of(message);
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
        BucketSpec bucket = others.bucketOf(entry.item().bucket());
        if (bucket == null) {
            return;
        }
        ConsumptionNews.Item told = entry.item();
        RelayedSum sum = sums.of(bucket, told.bucket(), told.key(), delivery.nanos());
        ConsumptionNews.Item item = mayBeOutdated(bucket, told, sum, delivery.nanos()) ? told.withoutStates() : told;
        HeardConsumption heard = isBelow ? below : range.heardAbove();
        HeardConsumption.News news = heard.hear(entry.sender().origin(), bucket, item, delivery);
        // Before it is taken from the bucket, for whoever is told how the bucket stands is told the sum as well.
        if (sum != null && add(sum, isBelow ? from : null, news.toPassOn(bucket), item, delivery)) {
            untold.add(sum);
        }
        long lacking = others.take(bucket, item, delivery, news, true);
        // Hosts below hear of it as of what is spent. The host above knows, and so do those whom it tells.
        if (sum != null && !isBelow && sum.addFromAbove(Tally.ofSpent(lacking), delivery.nanos(), delivery.nanos())) {
            untold.add(sum);
        }
    }

    /** How a bucket stands there may be from before that host has heard of what has come back. It says so again. */
    private boolean mayBeOutdated(BucketSpec bucket, ConsumptionNews.Item told, @Nullable RelayedSum sum, long nanos) {
        return told.states().length > 0
                && (ledger.hasGivenBackWithin(UNHEARD_NANOS, new Place(bucket.name(), told.key()), nanos)
                        || (sum != null && sum.hasReturnedWithin(UNHEARD_NANOS, nanos)));
    }

    private static boolean add(
            RelayedSum sum, @Nullable UUID below, Tally more, ConsumptionNews.Item item, Delivery delivery) {
        long since = delivery.sentNanos() - item.ageNanos();
        return below == null
                ? sum.addFromAbove(more, since, delivery.nanos())
                : sum.addFromBelow(below, more, since, delivery.nanos());
    }

    @Override
    public void sweep(long nanos) {
        below.sweep(nanos);
        leaders.sweep(nanos);
        deliveries.sweep(nanos);
        sums.sweep(nanos);
    }
}
