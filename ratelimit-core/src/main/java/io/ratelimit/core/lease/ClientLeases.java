package io.ratelimit.core.lease;

import io.ratelimit.LimitState;
import io.ratelimit.core.refusal.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What this host has leased for one client: one lease that is spent, and the next one once that is half used, so that
 * nobody has to wait while a client is busy. How much is leased follows what was asked for: it doubles while leases are
 * used up fast, and halves when they end unused. Thread-safe; taking tokens needs no lock.
 */
final class ClientLeases {

    private final long leaseNanos;
    private final List<Lease> over = new ArrayList<>(0);
    private volatile @Nullable Lease current;
    private volatile @Nullable Lease next;
    private volatile boolean renewing;
    private volatile @Nullable Refused refused;
    private volatile List<LimitState> shared = List.of();
    private long size;
    private long missedNanos;
    private boolean missed;
    private long pausedUntilNanos;
    private boolean paused;

    /** Whoever asks for just as much while the refusal is good is refused too. */
    private record Refused(long cost, Refusal refusal) {}

    ClientLeases(long leaseNanos) {
        this.leaseNanos = leaseNanos;
    }

    /** Takes tokens; null if the leases do not hold as many. */
    @Nullable
    Lease take(long tokens, long nanos) {
        Lease lease = current;
        if (lease != null && lease.take(tokens, nanos)) {
            return lease;
        }
        return next == null ? null : takeFromNext(tokens, nanos);
    }

    private synchronized @Nullable Lease takeFromNext(long tokens, long nanos) {
        Lease coming = next;
        if (coming != null) {
            endCurrent();
            current = coming;
            next = null;
        }
        Lease lease = current;
        return lease != null && lease.take(tokens, nanos) ? lease : null;
    }

    private void endCurrent() {
        Lease lease = current;
        if (lease != null) {
            over.add(lease);
            current = null;
        }
    }

    /** Whether another lease should be asked for though the client's tokens have sufficed. */
    boolean isRunningLow() {
        Lease lease = current;
        return !renewing && next == null && lease != null && lease.isHalfUsed();
    }

    /**
     * Begins to renew the lease.
     *
     * @param most the most tokens to hold
     * @param nanos the time
     * @return how many to ask for; 0 if nothing is to be asked now
     */
    synchronized long renew(long most, long nanos) {
        Lease lease = current;
        if (lease != null && lease.age(nanos) < leaseNanos / 4) {
            size = Math.min(2 * size, most);
        }
        return ask(most, nanos);
    }

    /** As {@link #renew}, where the tokens have not sufficed. A client that comes once in a while gets no lease. */
    synchronized long renewAfterMiss(long most, long nanos) {
        boolean again = missed && nanos - missedNanos < leaseNanos;
        missed = true;
        missedNanos = nanos;
        size = again ? Math.max(LeasePlan.LEAST, Math.min(2 * size, most)) : size;
        return ask(most, nanos);
    }

    private long ask(long most, long nanos) {
        paused = paused && nanos - pausedUntilNanos < 0;
        if (renewing || paused || next != null) {
            return 0;
        }
        Lease lease = current;
        long held = lease == null || lease.hasEnded(nanos) ? 0 : lease.left();
        long tokens = Math.min(size, most - held);
        renewing = tokens >= LeasePlan.LEAST;
        return renewing ? tokens : 0;
    }

    /** The tokens have come. */
    synchronized void renewed(Lease lease, List<LimitState> limits, long nanos) {
        renewing = false;
        shared = limits;
        Lease before = current;
        if (before == null || before.hasEnded(nanos) || before.left() == 0) {
            endCurrent();
            current = lease;
        } else {
            next = lease;
        }
    }

    /** The tokens have not come: for a while, each request asks for itself. */
    synchronized void notRenewed(long nanos) {
        renewing = false;
        size /= 2;
        paused = true;
        pausedUntilNanos = nanos + leaseNanos / 8;
    }

    /** What a charge of so many tokens is answered without asking; null if it is to be asked for. */
    @Nullable
    List<LimitState> refusal(long cost, long nanos) {
        Refused last = refused;
        return last == null || cost != last.cost || !last.refusal.isGood(nanos) || holds(cost, nanos)
                ? null
                : last.refusal.limitsAt(nanos);
    }

    /** A lease may have come, or got tokens back, since the shared bucket was asked. */
    private boolean holds(long tokens, long nanos) {
        Lease lease = current;
        Lease coming = next;
        return (lease != null && lease.holds(tokens, nanos)) || (coming != null && coming.holds(tokens, nanos));
    }

    /** The shared bucket has refused: it will until its wait is over, or others give back what they have leased. */
    void refused(long cost, List<LimitState> limits, long askedNanos, long answeredNanos) {
        refused = new Refused(cost, Refusal.of(limits, askedNanos, answeredNanos, leaseNanos));
    }

    /** What the limits say after tokens were taken here: what the shared bucket said last, and what is held. */
    List<LimitState> describe() {
        Lease lease = current;
        Lease coming = next;
        long held = (lease == null ? 0 : lease.left()) + (coming == null ? 0 : coming.left());
        List<LimitState> limits = new ArrayList<>(shared.size());
        for (LimitState limit : shared) {
            limits.add(new LimitState(limit.remaining() + held, 0, limit.nextTokenNanos()));
        }
        return limits;
    }

    /** Ends leases whose time is over. */
    synchronized List<EndedLease> sweep(long nanos) {
        Lease lease = current;
        if (lease != null && lease.hasEnded(nanos)) {
            size = lease.isHalfUsed() ? size : size / 2;
            endCurrent();
        }
        Lease coming = next;
        if (coming != null && coming.hasEnded(nanos)) {
            over.add(coming);
            next = null;
        }
        return endOver();
    }

    /** Ends all leases. */
    synchronized List<EndedLease> end() {
        endCurrent();
        Lease coming = next;
        if (coming != null) {
            over.add(coming);
            next = null;
        }
        return endOver();
    }

    private List<EndedLease> endOver() {
        List<EndedLease> ended = new ArrayList<>(over.size());
        for (Lease lease : over) {
            long left = lease.end();
            if (left > 0) {
                ended.add(new EndedLease(lease.receipt(), left));
            }
        }
        over.clear();
        return ended;
    }

    /** Whether nothing is lost if this is forgotten. */
    synchronized boolean isIdle(long nanos) {
        return current == null
                && next == null
                && over.isEmpty()
                && !renewing
                && !(missed && nanos - missedNanos < 2 * leaseNanos);
    }
}
