package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.store.BucketSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What this host knows was spent of one bucket, and how much of it each of its neighbours in the tree has been told: the
 * host above hears what was spent here and below, each host below what all others have spent. Sums of an epoch only grow;
 * another host above is told what the one before has not been. Thread-safe.
 */
final class RelayedSum {

    /** More than are below where hosts agree who is there. */
    private static final int MOST_BELOW = 256;

    private final Place place;
    private final LongSupplier epochs;
    private final Map<UUID, Edge> below = new HashMap<>(2);
    private @Nullable Edge above;
    private BucketSpec bucket;
    private SpecForm form;
    private long ownEpoch;
    private Tally ownTold = Tally.NOTHING;
    private Tally fromHereAndBelow = Tally.NOTHING;
    private Tally fromAbove = Tally.NOTHING;
    private Tally passedOn = Tally.NOTHING;
    private boolean untold;
    private long oldestNanos;
    private long touchedNanos;
    private boolean hasReturned;
    private long returnedNanos;

    /** What one neighbour has been told. */
    private static final class Edge {

        private final UUID host;
        private final long epoch;
        private final long begunNanos;
        /** What of all that is known here was not told in this epoch, and never will be. */
        private final Tally omitted;
        /** What this host has told, which is of no news to it. */
        private Tally heard = Tally.NOTHING;

        private long heardNanos;
        private Tally told = Tally.NOTHING;
        private boolean isTold;
        private long newsNanos;

        private Edge(UUID host, long epoch, long nanos, Tally omitted) {
            this.host = host;
            this.epoch = epoch;
            this.begunNanos = nanos;
            this.heardNanos = nanos;
            this.omitted = omitted;
        }

        private boolean hasNews(Tally now) {
            return now.sum() > told.sum() || !isTold;
        }

        private Told told(long nanos, long ageNanos) {
            isTold = true;
            return new Told(host, epoch, Math.max(0, nanos - begunNanos), told, ageNanos);
        }
    }

    /**
     * A sum for a neighbour.
     *
     * @param host the neighbour
     * @param epoch the later, the larger
     * @param epochNanos how long ago the epoch began
     * @param tally what was spent since then, and has come back
     * @param ageNanos how long ago the first of them was spent that had to be told and was not
     */
    record Told(UUID host, long epoch, long epochNanos, Tally tally, long ageNanos) {}

    /** Takes what is to be told. */
    interface Outbox {

        /**
         * Takes a sum.
         *
         * @param sum where it is from
         * @param told what it says
         */
        void add(RelayedSum sum, Told told);
    }

    RelayedSum(Place place, BucketSpec bucket, SpecForm form, LongSupplier epochs, long nanos) {
        this.place = place;
        this.bucket = bucket;
        this.form = form;
        this.epochs = epochs;
        this.touchedNanos = nanos;
    }

    Place place() {
        return place;
    }

    synchronized BucketSpec bucket() {
        return bucket;
    }

    synchronized SpecForm form() {
        return form;
    }

    /** The limits that are in force by the last that was spent or heard. */
    synchronized void follow(BucketSpec now, SpecForm nowForm) {
        if (!form.equals(nowForm)) {
            bucket = now;
            form = nowForm;
        }
    }

    /**
     * Adds what was spent here.
     *
     * @param told the sum
     * @return whether there is something to tell, where there was nothing before
     */
    synchronized boolean addOwn(Consumption.Told told, long nanos) {
        Tally more = told.epoch() == ownEpoch ? told.tally().minus(ownTold) : told.tally();
        ownEpoch = told.epoch();
        ownTold = told.tally();
        makeRoom(more);
        note(more, nanos);
        fromHereAndBelow = fromHereAndBelow.plus(more);
        return !more.isNothing() && isNews(nanos - told.ageNanos(), nanos);
    }

    /** Adds what a host below has told, which is told from now on what others have spent. */
    synchronized boolean addFromBelow(UUID host, Tally more, long sinceNanos, long nanos) {
        makeRoom(more);
        Edge known = below.get(host);
        Edge edge = known;
        if (edge == null) {
            if (below.size() >= MOST_BELOW) {
                forgetIdle(nanos, ConsumptionLedger.IDLE_NANOS);
            }
            if (below.size() >= MOST_BELOW) {
                return false;
            }
            edge = new Edge(host, epochs.getAsLong(), nanos, fromHereAndBelow.plus(fromAbove));
            below.put(host, edge);
        }
        note(more, nanos);
        edge.heard = edge.heard.plus(more);
        edge.heardNanos = nanos;
        fromHereAndBelow = fromHereAndBelow.plus(more);
        return (!more.isNothing() || known == null) && isNews(sinceNanos, nanos);
    }

    /** Adds what the host above has told. */
    synchronized boolean addFromAbove(Tally more, long sinceNanos, long nanos) {
        makeRoom(more);
        note(more, nanos);
        fromAbove = fromAbove.plus(more);
        return !more.isNothing() && isNews(sinceNanos, nanos);
    }

    private void note(Tally more, long nanos) {
        if (more.returned() > 0) {
            hasReturned = true;
            returnedNanos = nanos;
        }
    }

    /** Whether it was heard in a time that tokens have come back. */
    synchronized boolean hasReturnedWithin(long forNanos, long nanos) {
        return hasReturned && nanos - returnedNanos < forNanos;
    }

    /** With a sum that somebody has made up, it must not become more than can be told: all begin anew with their neighbours. */
    private void makeRoom(Tally more) {
        if (fromHereAndBelow.plus(fromAbove).sum() > Wire.MOST_AMOUNT - more.sum()) {
            fromHereAndBelow = Tally.NOTHING;
            fromAbove = Tally.NOTHING;
            passedOn = Tally.NOTHING;
            below.clear();
            above = null;
        }
    }

    private void forgetIdle(long nanos, long idleNanos) {
        below.values().removeIf(edge -> nanos - edge.heardNanos >= idleNanos);
    }

    private boolean isNews(long sinceNanos, long nanos) {
        touchedNanos = nanos;
        oldestNanos = untold && oldestNanos - sinceNanos < 0 ? oldestNanos : sinceNanos;
        boolean first = !untold;
        untold = true;
        return first;
    }

    /**
     * Tells what is new.
     *
     * @param parent the host above; null if this host leads
     * @param idleNanos after how long nothing is told any more to a host that tells nothing
     */
    synchronized void tell(@Nullable UUID parent, long nanos, long idleNanos, Outbox outbox) {
        turnTo(parent, nanos);
        forgetIdle(nanos, idleNanos);
        long age = untold ? Math.max(0, nanos - oldestNanos) : 0;
        untold = false;
        passedOn = fromHereAndBelow;
        for (Edge edge : edges()) {
            if (edge.hasNews(sumFor(edge))) {
                edge.told = sumFor(edge);
                edge.newsNanos = nanos;
                outbox.add(this, edge.told(nanos, age));
            }
        }
    }

    /**
     * Tells once more what was news at some time, unless there has been other news since.
     *
     * @return whether there is still such
     */
    synchronized boolean repeat(long newsNanos, long nanos, Outbox outbox) {
        boolean repeated = false;
        for (Edge edge : edges()) {
            if (edge.isTold && edge.newsNanos == newsNanos && !edge.hasNews(sumFor(edge))) {
                outbox.add(this, edge.told(nanos, 0));
                repeated = true;
            }
        }
        return repeated;
    }

    /** Whether another host is above than the last one that was told of this, or one at all where this one led. */
    synchronized boolean hasOtherAbove(@Nullable UUID parent) {
        return isNewAbove(parent);
    }

    /** Whether a neighbour may not have heard yet how the bucket stands. */
    synchronized boolean hasYoungEdge(@Nullable UUID parent, long nanos, long youngNanos) {
        return isNewAbove(parent) || edges().stream().anyMatch(edge -> nanos - edge.begunNanos < youngNanos);
    }

    private boolean isNewAbove(@Nullable UUID parent) {
        return parent != null && (above == null || !above.host.equals(parent));
    }

    private List<Edge> edges() {
        List<Edge> edges = new ArrayList<>(below.values());
        if (above != null) {
            edges.add(above);
        }
        return edges;
    }

    /** What the host above before has been told is not told to the next one: it comes from there, or is lost with it. */
    private void turnTo(@Nullable UUID parent, long nanos) {
        if (parent == null) {
            above = null;
        } else if (isNewAbove(parent)) {
            above = new Edge(parent, epochs.getAsLong(), nanos, passedOn);
        }
    }

    private Tally sumFor(Edge edge) {
        Tally all = edge == above
                ? fromHereAndBelow
                : fromHereAndBelow.plus(fromAbove).minus(edge.heard);
        return all.minus(edge.omitted);
    }

    /** Whether nothing has been spent for a while. */
    synchronized boolean isIdle(long nanos, long forNanos) {
        return !untold && nanos - touchedNanos >= forNanos;
    }
}
