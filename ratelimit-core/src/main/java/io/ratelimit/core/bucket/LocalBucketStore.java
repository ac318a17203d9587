package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.ratelimit.LimitState;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in this process. Answers at once, on the caller's thread. Clients are kept by a 64-bit SipHash of their
 * identifier under a seed of this store (Aumasson and Bernstein, "SipHash: a fast short-input PRF", 2012), so that
 * nobody can aim at another client's bucket: among 1,000,000 clients two share a bucket with a probability of 3 in
 * 10^8. Thread-safe.
 */
public final class LocalBucketStore implements BucketStore {

    private final TimeSource timeSource;
    private final long origin;
    private final TokenBucketCache buckets;
    private final HashFunction fingerprints;
    private final FailureLog failures;

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
        SecureRandom random = new SecureRandom();
        this.fingerprints = Hashing.sipHash24(random.nextLong(), random.nextLong());
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
        refundNow((LocalReceipt) receipt, tokens);
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
        long nanos = elapsedNanos();
        Bucket bucket;
        try {
            bucket = buckets.get(keyOf(charge), spec, nanos);
        } catch (StoreException full) {
            return;
        }
        if (bucket.spec().size() == outcome.limits().size() && bucket.lock()) {
            bucket.unlock(bucket.spec().fewest(bucket.states(), outcome.limits(), nanos));
        }
    }

    /** Forgets buckets that have become full. To be called every few minutes; costs a walk over all buckets. */
    public void sweep() {
        buckets.sweep(elapsedNanos());
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
        if (charges.size() == 1 && charges.get(0).bucket().limits().size() == 1) {
            return spendFromOneLimit(charges.get(0));
        }
        while (true) {
            SpendOutcome outcome = trySpendTogether(charges);
            if (outcome != null) {
                return outcome;
            }
        }
    }

    private SpendOutcome spendWithoutNewcomers(List<Charge> charges) {
        List<Charge> newcomers = charges.stream().filter(this::isNewcomer).toList();
        List<Charge> known =
                charges.stream().filter(charge -> !newcomers.contains(charge)).toList();
        boolean refused = UnaskedCharges.anyIs(OnFailure.CLOSED, newcomers);
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
        return buckets.peek(keyOf(charge)) == null;
    }

    private SpendOutcome spendFromOneLimit(Charge charge) {
        BucketKey key = keyOf(charge);
        CompiledSpec spec = compile(charge.bucket());
        while (true) {
            long nanos = elapsedNanos();
            Bucket bucket = buckets.get(key, spec, nanos);
            if (bucket.spec().size() > 1) {
                SpendOutcome outcome = trySpendTogether(List.of(charge));
                if (outcome != null) {
                    return outcome;
                }
                continue;
            }
            long word = bucket.awaitWord();
            if (Bucket.isLocked(word)) {
                continue;
            }
            CompiledSpec inForce = bucket.spec();
            TokenBucket limit = inForce.limit(0);
            long state = Bucket.stateOf(word);
            if (!limit.admits(state, nanos, charge.cost())) {
                List<LimitState> refused = inForce.describe(new long[] {state}, nanos, charge.cost(), spec);
                return new SpendOutcome(false, false, List.of(new ChargeOutcome(charge, refused, null)));
            }
            long[] spent = {charge.cost() == 0 ? state : limit.spend(state, nanos, charge.cost())};
            if (charge.cost() == 0 || bucket.replaceFirst(word, spent[0])) {
                Receipt receipt = new LocalReceipt(key, inForce, spent);
                List<LimitState> left = inForce.describe(spent, nanos, 0, spec);
                return new SpendOutcome(true, false, List.of(new ChargeOutcome(charge, left, receipt)));
            }
        }
    }

    /** Locks all buckets, checks all, then writes all; null if a bucket was retired meanwhile. */
    private @Nullable SpendOutcome trySpendTogether(List<Charge> charges) {
        long nanos = elapsedNanos();
        List<HeldCharge> held =
                charges.stream().map(charge -> hold(charge, nanos)).toList();
        List<HeldCharge> lockOrder = inLockOrder(held);
        int locked = 0;
        try {
            while (locked < lockOrder.size()) {
                if (!lockOrder.get(locked).bucket().lock()) {
                    return null;
                }
                locked++;
            }
            boolean allowed = held.stream().allMatch(charge -> charge.admits(nanos));
            SpendOutcome outcome = new SpendOutcome(
                    allowed,
                    false,
                    held.stream()
                            .map(charge -> allowed ? charge.spend(nanos) : charge.leave(nanos))
                            .toList());
            locked = 0;
            for (int i = 0; i < held.size(); i++) {
                held.get(i).write(outcome.charges().get(i));
            }
            return outcome;
        } finally {
            for (int i = 0; i < locked; i++) {
                lockOrder.get(i).bucket().unlock();
            }
        }
    }

    /** The same order for all threads, and no bucket twice: a thread would wait for itself. */
    private static List<HeldCharge> inLockOrder(List<HeldCharge> held) {
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

    private HeldCharge hold(Charge charge, long nanos) {
        BucketKey key = keyOf(charge);
        CompiledSpec spec = compile(charge.bucket());
        return new HeldCharge(charge, spec, key, buckets.get(key, spec, nanos));
    }

    private void refundNow(LocalReceipt receipt, long tokens) {
        Bucket bucket = lockPresent(receipt.key());
        if (bucket == null) {
            return;
        }
        try {
            long[] refunded = bucket.spec()
                    .refund(bucket.states(), elapsedNanos(), tokens, receipt.spec(), receipt.statesAfter());
            bucket.unlock(refunded);
            bucket = null;
        } finally {
            if (bucket != null) {
                bucket.unlock();
            }
        }
    }

    /** A client's bucket, locked; null if it was forgotten, which only happens to a full one. */
    private @Nullable Bucket lockPresent(BucketKey key) {
        Bucket bucket = buckets.peek(key);
        while (bucket != null && !bucket.lock()) {
            bucket = buckets.peek(key);
        }
        return bucket;
    }

    private BucketKey keyOf(Charge charge) {
        long fingerprint =
                fingerprints.hashUnencodedChars(charge.client().canonical()).asLong();
        return new BucketKey(charge.bucket().name(), fingerprint);
    }

    private CompiledSpec compile(BucketSpec spec) {
        CompiledSpec compiled = specs.get(spec);
        return compiled == null ? specs.computeIfAbsent(spec, CompiledSpec::of) : compiled;
    }

    private long elapsedNanos() {
        return timeSource.nanoTime() - origin;
    }
}
