package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import com.google.common.hash.HashFunction;
import com.google.common.hash.Hashing;
import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.stream.Stream;
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

    /** By reference: specs of rules that are no longer in force go with them. */
    private final ConcurrentMap<BucketSpec, CompiledSpec> specs =
            new MapMaker().weakKeys().makeMap();

    /**
     * Makes an empty store.
     *
     * @param timeSource the clock that buckets refill by
     * @param maxBuckets the most buckets that are kept at a time, at least 1
     */
    public LocalBucketStore(TimeSource timeSource, int maxBuckets) {
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
        this.buckets = new TokenBucketCache(maxBuckets);
        SecureRandom random = new SecureRandom();
        this.fingerprints = Hashing.sipHash24(random.nextLong(), random.nextLong());
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        try {
            return CompletableFuture.completedFuture(spendNow(charges));
        } catch (StoreException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        refundNow((LocalReceipt) receipt, tokens);
        return CompletableFuture.completedFuture(null);
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
            TokenBucket limit = bucket.spec().limit(0);
            long state = Bucket.stateOf(word);
            if (!limit.admits(state, nanos, charge.cost())) {
                LimitState refused = limit.describe(state, nanos, limit.waitNanos(state, nanos, charge.cost()));
                return new SpendOutcome(false, false, List.of(new ChargeOutcome(charge, List.of(refused), null)));
            }
            long spent = charge.cost() == 0 ? state : limit.spend(state, nanos, charge.cost());
            if (charge.cost() == 0 || bucket.replaceFirst(word, spent)) {
                Receipt receipt = new LocalReceipt(key, bucket.spec(), new long[] {spent});
                LimitState left = limit.describe(spent, nanos, 0);
                return new SpendOutcome(true, false, List.of(new ChargeOutcome(charge, List.of(left), receipt)));
            }
        }
    }

    /** Locks all buckets, checks all, then writes all; null if a bucket was retired meanwhile. */
    private @Nullable SpendOutcome trySpendTogether(List<Charge> charges) {
        long nanos = elapsedNanos();
        HeldCharge[] held = charges.stream().map(charge -> hold(charge, nanos)).toArray(HeldCharge[]::new);
        HeldCharge[] lockOrder = held.clone();
        Arrays.sort(lockOrder, Comparator.comparing(HeldCharge::key));
        int locked = 0;
        while (locked < lockOrder.length && lockOrder[locked].bucket().lock()) {
            locked++;
        }
        if (locked < lockOrder.length) {
            for (int i = 0; i < locked; i++) {
                lockOrder[i].bucket().unlock();
            }
            return null;
        }
        boolean allowed = Stream.of(held).allMatch(charge -> charge.admits(nanos));
        List<ChargeOutcome> outcomes = Stream.of(held)
                .map(charge -> allowed ? charge.spend(nanos) : charge.leave(nanos))
                .toList();
        return new SpendOutcome(allowed, false, outcomes);
    }

    private HeldCharge hold(Charge charge, long nanos) {
        BucketKey key = keyOf(charge);
        return new HeldCharge(charge, key, buckets.get(key, compile(charge.bucket()), nanos));
    }

    private void refundNow(LocalReceipt receipt, long tokens) {
        Bucket bucket = buckets.peek(receipt.key());
        // A forgotten bucket is full, and what continues under other limits may have refilled in between: nothing is
        // held that could be given back safely.
        if (bucket == null || bucket.spec() != receipt.spec() || !bucket.lock()) {
            return;
        }
        long nanos = elapsedNanos();
        long[] states = bucket.states();
        for (int i = 0; i < states.length; i++) {
            states[i] = bucket.spec().limit(i).refund(states[i], nanos, tokens, receipt.stateAfter(i));
        }
        bucket.unlock(states);
    }

    private BucketKey keyOf(Charge charge) {
        long fingerprint =
                fingerprints.hashUnencodedChars(charge.client().canonical()).asLong();
        return new BucketKey(charge.bucket().name(), fingerprint);
    }

    private CompiledSpec compile(BucketSpec spec) {
        CompiledSpec compiled = specs.get(spec);
        return compiled == null ? specs.computeIfAbsent(spec, CompiledSpec::new) : compiled;
    }

    private long elapsedNanos() {
        return timeSource.nanoTime() - origin;
    }
}
