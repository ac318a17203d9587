package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import io.ratelimit.LimitState;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in this process. Answers at once, on the caller's thread. Clients are kept by 63 bits of a {@link SipHash} of
 * their identifier under a key of this store, so that nobody can aim at another client's bucket: among 1,000,000 clients
 * two share a bucket with a probability of 6 in 10^8. Thread-safe.
 */
public final class LocalBucketStore implements BucketStore {

    private final TimeSource timeSource;
    private final long origin;
    private final TokenBucketCache buckets;
    private final SipHash hash = SipHash.ofRandomKey();
    private final FailureLog failures;
    private final RecentRefunds refunds = new RecentRefunds();
    private final LearnedLimits learned = new LearnedLimits();

    /** By reference: specs of rules that are no longer in force go with them. */
    private final ConcurrentMap<BucketSpec, CompiledSpec> specs =
            new MapMaker().weakKeys().makeMap();

    /**
     * Makes an empty store whose failures only the log hears of.
     *
     * @param timeSource the clock that buckets refill by
     * @param maxBuckets the most buckets that are kept at a time, at least 1
     */
    public LocalBucketStore(TimeSource timeSource, int maxBuckets) {
        this(timeSource, maxBuckets, new FailureLog("The table of clients", timeSource, new RateLimitListener() {}));
    }

    /**
     * Makes an empty store. A charge whose client finds no place in a full table is answered by the rule's
     * {@code onFailure}, where {@code local} means that it passes; the other charges of the request are asked.
     *
     * @param timeSource the clock that buckets refill by
     * @param maxBuckets the most buckets that are kept at a time, at least 1
     * @param failures hears of clients that find no place
     */
    public LocalBucketStore(TimeSource timeSource, int maxBuckets, FailureLog failures) {
        this.failures = failures;
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
        this.buckets = new TokenBucketCache(maxBuckets);
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        try {
            SpendOutcome outcome = spendNow(charges);
            failures.answered();
            return CompletableFuture.completedFuture(outcome);
        } catch (StoreException full) {
            failures.failed(full);
            return CompletableFuture.completedFuture(spendWithoutNewcomers(charges));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        LocalReceipt made = (LocalReceipt) receipt;
        giveBack(made, (spec, states, now) -> spec.refund(states, now, tokens, made.spec(), refunds.words(made, now)));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        LocalReceipt made = (LocalReceipt) receipt;
        if (made.spec().countsInFlight()) {
            change(
                    made.key(),
                    (spec, states, now) -> spec.release(states, now, made.cost(), made.spec(), made.words()));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        LocalReceipt made = (LocalReceipt) receipt;
        giveBack(
                made,
                (spec, states, now) ->
                        spec.undo(states, now, tokens, made.cost(), made.spec(), refunds.words(made, now)));
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Remembers what a shared store said of buckets, so that this host goes on from there if the store stops answering.
     * What this host charged by itself meanwhile is kept where it leaves fewer tokens.
     *
     * @param said an answer of the shared store
     */
    void remember(SpendOutcome said) {
        for (ChargeOutcome outcome : said.charges()) {
            if (!outcome.limits().isEmpty() && UnaskedCharges.is(OnFailure.LOCAL, outcome.charge())) {
                remember(outcome);
            }
        }
    }

    private void remember(ChargeOutcome outcome) {
        Charge charge = outcome.charge();
        CompiledSpec spec = compile(charge.bucket());
        Moment now = now();
        BucketKey key = keyOf(charge);
        try {
            buckets.prepare(key, spec, false, now);
        } catch (StoreException full) {
            return;
        }
        // What another rule set said is of no use to this one.
        change(
                key,
                (inForce, states, then) -> inForce.equals(spec) ? spec.fewest(states, outcome.limits(), then) : states);
    }

    /** Forgets buckets that have become full. To be called every few minutes; costs a walk over all buckets. */
    public void sweep() {
        Moment now = now();
        buckets.sweep(now);
        refunds.sweep(buckets, now);
    }

    /**
     * How many buckets are kept.
     *
     * @return the number of clients and rules with something spent, and those not swept yet
     */
    public long size() {
        return buckets.size();
    }

    @Override
    public void close() {}

    private SpendOutcome spendNow(List<Charge> charges) {
        Charge first = charges.get(0);
        if (charges.size() == 1 && first.kind() == Charge.Kind.BINDING && first.maxWaitNanos() == 0) {
            CompiledSpec spec = compile(first.bucket());
            if (spec.onlyRate() != null) {
                return spendFromOneRate(first, spec);
            }
        }
        return spendTogether(charges);
    }

    private SpendOutcome spendTogether(List<Charge> charges) {
        // Who found room once keeps it: full buckets of his that others' search has dropped meanwhile come back.
        SpendOutcome outcome = trySpendTogether(charges, false);
        while (outcome == null) {
            outcome = trySpendTogether(charges, true);
        }
        return outcome;
    }

    private SpendOutcome spendWithoutNewcomers(List<Charge> charges) {
        List<Charge> newcomers = charges.stream().filter(this::isNewcomer).toList();
        List<Charge> known =
                charges.stream().filter(charge -> !newcomers.contains(charge)).toList();
        boolean refused = UnaskedCharges.anyRefuses(newcomers);
        if (refused || known.isEmpty()) {
            return UnaskedCharges.all(charges, !refused);
        }
        try {
            return UnaskedCharges.beside(spendNow(known), charges);
        } catch (StoreException forgottenMeanwhile) {
            return UnaskedCharges.all(charges, true);
        }
    }

    private boolean isNewcomer(Charge charge) {
        return !buckets.has(keyOf(charge));
    }

    /** Without a lock, as long as the bucket is not under other limits. */
    private SpendOutcome spendFromOneRate(Charge charge, CompiledSpec spec) {
        BucketKey key = keyOf(charge);
        long cost = charge.cost();
        int spins = 0;
        while (true) {
            BucketSegment segment = buckets.table(key.name(), spec).segment(key.fingerprint());
            int at = spec.replaces(segment.spec()) ? BucketSegment.NONE : segment.find(key.fingerprint());
            if (at == BucketSegment.NONE) {
                buckets.prepare(key, spec, false, now());
                continue;
            }
            CompiledSpec inForce = segment.spec();
            CellRate rate = inForce.onlyRate();
            if (rate == null) {
                return spendTogether(List.of(charge));
            }
            long nanos = elapsedNanos();
            long word = segment.word(at);
            if (BucketSegment.isLocked(word)) {
                TokenBucketCache.pause(++spins);
                continue;
            }
            long state = BucketSegment.stateOf(word);
            if (!rate.admits(state, nanos, cost)) {
                LimitState refused = rate.describe(state, nanos, rate.waitNanos(state, nanos, cost));
                return outcome(charge, spec.translated(inForce, refused), null);
            }
            // Between the word and its replacement, so that no refund is taken for one that came before this charge.
            long[] refunded = refunds.totals(key, inForce);
            long spent = cost == 0 ? state : rate.spend(state, nanos, cost);
            if (cost == 0 || segment.replace(at, word, spent)) {
                Receipt receipt = new LocalReceipt(key, inForce, cost, new long[][] {{spent}}, nanos, refunded);
                return outcome(charge, spec.translated(inForce, rate.describe(spent, nanos, 0)), receipt);
            }
        }
    }

    private static SpendOutcome outcome(Charge charge, List<LimitState> limits, @Nullable Receipt receipt) {
        return new SpendOutcome(receipt != null, false, List.of(new ChargeOutcome(charge, limits, receipt)));
    }

    /** Locks all buckets, checks all, then writes all; null if a bucket was forgotten meanwhile. */
    private @Nullable SpendOutcome trySpendTogether(List<Charge> charges, boolean hasRoom) {
        Moment now = now();
        List<HeldCharge> held = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            held.add(prepared(charge, hasRoom, now));
        }
        List<HeldCharge> lockOrder = inLockOrder(held);
        int locked = 0;
        try {
            while (locked < lockOrder.size()) {
                HeldCharge next = lockOrder.get(locked);
                HeldBucket bucket = buckets.hold(next.key());
                if (bucket == null) {
                    return null;
                }
                next.hold(bucket);
                locked++;
                next.know(refunds);
            }
            boolean allowed = allLet(held, now);
            List<ChargeOutcome> outcomes = new ArrayList<>(held.size());
            for (HeldCharge charge : held) {
                outcomes.add(charge.settle(allowed, now));
            }
            SpendOutcome outcome = new SpendOutcome(allowed, false, outcomes);
            locked = 0;
            held.forEach(HeldCharge::write);
            return outcome;
        } finally {
            for (int i = 0; i < locked; i++) {
                lockOrder.get(i).letGo();
            }
        }
    }

    private static boolean allLet(List<HeldCharge> held, Moment now) {
        for (HeldCharge charge : held) {
            if (!charge.lets(now)) {
                return false;
            }
        }
        return true;
    }

    /** The same order for all threads, and no bucket twice: a thread would wait for itself. */
    private static List<HeldCharge> inLockOrder(List<HeldCharge> held) {
        if (held.size() == 1) {
            return held;
        }
        List<HeldCharge> ordered =
                held.stream().sorted(Comparator.comparing(HeldCharge::key)).toList();
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).key().equals(ordered.get(i - 1).key())) {
                throw new IllegalArgumentException("two charges of a request are for the same bucket '"
                        + ordered.get(i).key().name() + "' of the same client");
            }
        }
        return ordered;
    }

    private HeldCharge prepared(Charge charge, boolean hasRoom, Moment now) {
        HeldCharge prepared = new HeldCharge(charge, compile(charge.bucket()), keyOf(charge));
        buckets.prepare(prepared.key(), prepared.asked(), hasRoom, now);
        return prepared;
    }

    private interface Change {
        long[][] of(CompiledSpec spec, long[][] states, Moment now);
    }

    private void giveBack(LocalReceipt made, Change refund) {
        change(made.key(), (spec, states, now) -> {
            long[][] after = refund.of(spec, states, now);
            refunds.add(made, spec, states, after, now);
            return after;
        });
    }

    private void change(BucketKey key, Change change) {
        // None if it was forgotten, which only happens to a full one.
        HeldBucket bucket = buckets.hold(key);
        if (bucket == null) {
            return;
        }
        boolean unlocked = false;
        try {
            long[][] states = change.of(bucket.spec(), bucket.states(), now());
            bucket.unlock(states);
            unlocked = true;
        } finally {
            if (!unlocked) {
                bucket.unlock();
            }
        }
    }

    private BucketKey keyOf(Charge charge) {
        return BucketKey.of(charge.bucket().name(), hash.of(charge.client().canonical()));
    }

    private CompiledSpec compile(BucketSpec spec) {
        CompiledSpec compiled = specs.get(spec);
        return compiled == null ? specs.computeIfAbsent(spec, this::compileAnew) : compiled;
    }

    private CompiledSpec compileAnew(BucketSpec spec) {
        return CompiledSpec.of(spec.version(), spec.limits(), limit -> learned.algorithm(spec.name(), limit));
    }

    private Moment now() {
        return new Moment(elapsedNanos(), timeSource.currentTimeMillis());
    }

    private long elapsedNanos() {
        return timeSource.nanoTime() - origin;
    }
}
