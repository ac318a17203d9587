package io.ratelimit.core.reconcile;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.AskedStore;
import io.ratelimit.core.bucket.EventualBucketStore;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.SharedBucket;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Decides by this host's buckets, adds what was spent here to buckets that all hosts share, and takes back what these have
 * left, so that the buckets here have no more; they may owe tokens then, and an excess is paid back by waiting. Nobody
 * waits for a hop, and in the long run the limit holds for all hosts together; until all have told, each host may let a
 * burst of its own pass.
 *
 * <p>What could not be told, or of which nobody knows whether it was, is not told again: while the store is away, each host
 * is on its own, and what it let pass meanwhile has to be paid back only there. Thread-safe.
 */
public final class ReconcilingBucketStore implements EventualBucketStore {

    /** Longer than any store that works takes, and so short that what is charged as late as that locks nobody out. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /** Some 300 bytes each, so 150 MB at most. What is spent from buckets beyond them is decided here alone. */
    private static final int MOST_BUCKETS = 500_000;

    private static final long CLOSING_NANOS = 1_000_000_000L;

    private final LocalBucketStore local;
    private final BucketStore shared;
    private final TimeSource timeSource;
    private final FailureLog failures;
    private final long oldestNanos;
    private final UntoldLedger ledger = new UntoldLedger(MOST_BUCKETS);
    private final CallsUnderWay calls = new CallsUnderWay(PATIENCE.toNanos());
    private final Queue<Telling> comingBack = new ConcurrentLinkedQueue<>();
    private final AtomicInteger pumping = new AtomicInteger();

    /** How many of those in line when the last period began have not been told of. */
    private final AtomicLong round = new AtomicLong();

    private volatile int hosts;
    private volatile boolean closed;

    /**
     * Begins with nothing to tell.
     *
     * @param local this host's table; stays its owner's to close
     * @param shared the buckets that all hosts share; stays its owner's to close
     * @param timeSource this host's clocks
     * @param period how often {@link #flush} is called
     * @param failures hears of what cannot be told
     */
    public ReconcilingBucketStore(
            LocalBucketStore local, BucketStore shared, TimeSource timeSource, Duration period, FailureLog failures) {
        this.local = local;
        this.shared = shared;
        this.timeSource = timeSource;
        this.failures = failures;
        this.oldestNanos = period.multipliedBy(2).plus(PATIENCE).toNanos();
    }

    /**
     * Whether buckets can be reconciled: those that refill evenly. Others cannot owe tokens, so that what hosts let pass
     * beyond the limit would never be paid back.
     *
     * @param bucket the buckets
     * @return true if their charges may come here
     */
    public boolean reconciles(BucketSpec bucket) {
        return local.bucketsOf(bucket) != null;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return local.spend(charges, timeout).thenApply(this::note);
    }

    private SpendOutcome note(SpendOutcome spent) {
        long now = timeSource.nanoTime();
        List<ChargeOutcome> outcomes = new ArrayList<>(spent.charges().size());
        for (ChargeOutcome outcome : spent.charges()) {
            Receipt receipt = outcome.receipt();
            if (receipt != null) {
                receipt = new ReconciledReceipt(receipt, note(outcome.charge(), now));
            }
            outcomes.add(new ChargeOutcome(outcome.charge(), outcome.limits(), receipt));
        }
        return new SpendOutcome(spent.allowed(), spent.degraded(), outcomes);
    }

    private @Nullable Telling note(Charge charge, long now) {
        if (charge.cost() == 0 || closed) {
            return null;
        }
        Telling telling = ledger.spent(charge.client(), charge.bucket(), charge.cost(), now);
        if (telling == null) {
            failures.failed(new StoreException(
                    "store-error",
                    "the store can be told of " + MOST_BUCKETS + " buckets at a time, and there are more"));
        }
        return telling;
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        ReconciledReceipt made = (ReconciledReceipt) receipt;
        giveBack(made, tokens);
        return local.refund(made.local(), tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return local.release(((ReconciledReceipt) receipt).local());
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        ReconciledReceipt made = (ReconciledReceipt) receipt;
        giveBack(made, tokens);
        return local.undo(made.local(), tokens);
    }

    private void giveBack(ReconciledReceipt made, long tokens) {
        Telling telling = made.telling();
        if (telling != null && telling.giveBack(tokens)) {
            comingBack.add(telling);
        }
    }

    @Override
    public int hosts() {
        return shared.hosts();
    }

    /**
     * Tells the shared store what is new. Of a client whose last news have no answer yet, nothing is told before they have:
     * a slow store is told seldom, and not much at once.
     */
    @Override
    public void flush() {
        calls.giveUp(timeSource.nanoTime());
        round.set(ledger.inLine());
        goOn();
    }

    /** Makes as many calls as there may be at a time; whoever brings an answer makes the next one, and nobody two at once. */
    private void goOn() {
        if (pumping.getAndIncrement() != 0) {
            return;
        }
        int asked = 1;
        do {
            long now = timeSource.nanoTime();
            // What comes back goes first: what is told after it is answered as if it had never been spent.
            while (room()) {
                Telling next = comingBack.poll();
                if (next == null) {
                    break;
                }
                giveBack(next, now);
            }
            while (room() && round.get() > 0) {
                round.decrementAndGet();
                ToldBucket next = ledger.next();
                if (next == null) {
                    round.set(0);
                } else {
                    tell(next, now);
                }
            }
            asked = pumping.addAndGet(-asked);
        } while (asked != 0);
    }

    private boolean room() {
        return calls.room() > 0;
    }

    private void tell(ToldBucket bucket, long now) {
        Telling telling = bucket.next();
        if (telling == null || telling.tokens() <= 0) {
            ledger.ended(bucket);
        } else if (now - telling.begunNanos() > oldestNanos) {
            // The shared bucket would take it for new, though some of it has refilled.
            telling.lose();
            ledger.ended(bucket);
            failures.failed(
                    new StoreException("store-timeout", "more clients spend than the store can be told of in time"));
        } else {
            tell(bucket, telling, now);
        }
    }

    private void tell(ToldBucket bucket, Telling telling, long now) {
        BucketSpec spec = bucket.bucket();
        long owedNanos = new ExcessOfHosts(spec, hostsLately(), PATIENCE.toNanos()).refillNanos();
        Charge late = new Charge(bucket.client(), spec, telling.tokens(), Charge.Kind.LATE, owedNanos);
        CompletionStage<SpendOutcome> call = new AskedStore(shared).spend(List.of(late), PATIENCE);
        calls.add(call, now, (said, failure) -> {
            try {
                if (said != null) {
                    hear(bucket, telling, said.charges().get(0), now);
                } else if (failure != null) {
                    telling.lose();
                    failures.failed(failure);
                    call.thenAccept(this::takeBack);
                }
            } catch (RuntimeException e) {
                failures.failed(e);
            } finally {
                ledger.ended(bucket);
                goOn();
            }
        });
    }

    /** As many as were last known of: while that is unknown, there are hardly fewer. */
    private int hostsLately() {
        int known = shared.hosts();
        hosts = known > 0 ? known : hosts;
        return hosts;
    }

    private void hear(ToldBucket bucket, Telling telling, ChargeOutcome said, long sentNanos) {
        failures.answered();
        Receipt receipt = said.receipt();
        if (receipt == null) {
            telling.lose();
        } else if (telling.told(receipt)) {
            comingBack.add(telling);
        }
        Charge charge = said.charge();
        boolean isOfOthers = receipt != null && !receipt.isUnder(charge.bucket());
        if (isOfOthers || said.limits().size() != charge.bucket().limits().size()) {
            return;
        }
        SharedBucket heard = bucket.heard(
                charge.bucket(), said.limits(), charge.cost(), telling.begunNanos(), sentNanos, timeSource.nanoTime());
        if (heard != null) {
            local.haveAtMost(charge.client(), charge.bucket(), heard);
        }
    }

    /** A store that stood still has taken what was told long ago for new. */
    private void takeBack(SpendOutcome tooLate) {
        ChargeOutcome charged = tooLate.charges().get(0);
        Receipt receipt = charged.receipt();
        if (receipt != null) {
            refund(new Telling.Refund(receipt, charged.charge().cost()));
        }
    }

    private void giveBack(Telling telling, long now) {
        Telling.Refund refund = telling.refund();
        if (refund != null) {
            calls.add(refund(refund), now, (done, failure) -> {
                telling.of().cameBack(refund.tokens());
                if (failure != null) {
                    failures.failed(failure);
                }
                goOn();
            });
        }
    }

    private CompletionStage<Void> refund(Telling.Refund refund) {
        try {
            return shared.refund(refund.receipt(), refund.tokens());
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public void sweep() {
        ledger.sweep(timeSource.nanoTime());
    }

    private boolean isAllTold() {
        return ledger.inLine() == 0 && comingBack.isEmpty();
    }

    /** Tells the shared store the last of it, for a second at most. What is spent later is not told. */
    @Override
    public void close() {
        closed = true;
        long end = System.nanoTime() + CLOSING_NANOS;
        do {
            flush();
            calls.await(end);
        } while (!isAllTold()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted());
    }
}
