package io.ratelimit.core.lease;

import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.bucket.Spending;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Shared buckets for charges one by one, each forgotten two seconds after it is full. For one thread. */
final class ForgettingBuckets implements BucketStore {

    private static final long KEPT_FULL_NANOS = 2_000_000_000L;

    private final TimeSource clock;
    private final long origin;
    private final Map<String, Kept> buckets = new HashMap<>();

    private record Kept(CompiledSpec spec, List<long[]> states, long untilNanos) {

        private long[][] words() {
            return states.toArray(long[][]::new);
        }
    }

    private record Made(Charge charge, CompiledSpec spec, List<long[]> receipt) implements Receipt {}

    ForgettingBuckets(TimeSource clock) {
        this.clock = clock;
        this.origin = clock.nanoTime();
    }

    private Moment now() {
        return Moment.ofNanos(clock.nanoTime() - origin);
    }

    private static String keyOf(Charge charge) {
        return charge.client() + " " + charge.bucket().name();
    }

    private Kept bucket(Charge charge, Moment now) {
        CompiledSpec asked = CompiledSpec.of(charge.bucket());
        Kept known = buckets.get(keyOf(charge));
        if (known == null || known.untilNanos() <= now.nanos()) {
            return keep(asked, asked.full(now), now);
        }
        return asked.replaces(known.spec())
                ? keep(asked, asked.carryOver(known.spec(), known.words(), now), now)
                : known;
    }

    private static Kept keep(CompiledSpec spec, long[][] states, Moment now) {
        return new Kept(spec, List.of(states), now.nanos() + spec.fullNanos(states, now) + KEPT_FULL_NANOS);
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        Charge charge = charges.get(0);
        Moment now = now();
        Kept bucket = bucket(charge, now);
        CompiledSpec spec = bucket.spec();
        boolean allowed = spec.lets(bucket.words(), now, charge.kind(), charge.cost(), charge.maxWaitNanos());
        Spending spending =
                Spending.of(spec, bucket.words(), now, charge.kind(), charge.cost(), charge.maxWaitNanos(), allowed);
        if (allowed) {
            buckets.put(keyOf(charge), keep(spec, spending.states(), now));
        }
        long[][] words = spending.receipt();
        Receipt receipt = words == null ? null : new Made(charge, spec, List.of(words));
        List<LimitState> limits =
                spec.describe(spending.states(), now, spending.waits(), CompiledSpec.of(charge.bucket()));
        return CompletableFuture.completedFuture(
                new SpendOutcome(allowed, false, List.of(new ChargeOutcome(charge, limits, receipt))));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        Made made = (Made) receipt;
        Moment now = now();
        Kept bucket = bucket(made.charge(), now);
        long[][] after = bucket.spec()
                .refund(bucket.words(), now, tokens, made.spec(), made.receipt().toArray(long[][]::new));
        buckets.put(keyOf(made.charge()), keep(bucket.spec(), after, now));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
}
