package io.ratelimit.core.permits;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The buckets of a client under a rule, whatever the rules in force say of it. Thread-safe. */
final class RuleBucket implements PermitBucket {

    /** Where {@code onFailure} refuses there is no wait to tell: the store may be back after any time. */
    private static final Attempt UNASKED =
            new Attempt.Refused(Duration.ofMillis(100).toNanos());

    private final RulesCache rules;
    private final BucketStore buckets;
    private final RateLimitListener listener;
    private final String rule;
    private final ClientIdentifier client;

    RuleBucket(
            RulesCache rules, BucketStore buckets, RateLimitListener listener, String rule, ClientIdentifier client) {
        this.rules = rules;
        this.buckets = buckets;
        this.listener = listener;
        this.rule = rule;
        this.client = client;
    }

    @Override
    public long capacity() {
        return chargeOf(1).map(RuleBucket::capacityOf).orElse(Long.MAX_VALUE);
    }

    @Override
    public CompletionStage<Attempt> take(long tokens, long maxWaitNanos) {
        Optional<RuleCharge> found = chargeOf(tokens);
        if (found.isEmpty()) {
            return CompletableFuture.completedFuture(Attempt.FREE);
        }
        Charge charge = found.get().charge();
        boolean binding = charge.kind() == Charge.Kind.BINDING;
        if (binding && tokens > capacityOf(found.get())) {
            return CompletableFuture.completedFuture(Attempt.NEVER);
        }
        return spend(binding ? charge.waiting(maxWaitNanos) : charge);
    }

    /** Nothing before there are rules, when nothing is limited. */
    private Optional<RuleCharge> chargeOf(long tokens) {
        CompiledRules inForce = rules.current();
        if (inForce.areMissing()) {
            return Optional.empty();
        }
        Optional<RuleCharge> charge = inForce.chargeOf(rule, client, tokens);
        charge.map(found -> found.charge().bucket()).ifPresent(this::refuseConcurrency);
        return charge;
    }

    private void refuseConcurrency(BucketSpec bucket) {
        if (bucket.limits().stream().anyMatch(limit -> limit.algorithm() == Algorithm.CONCURRENCY)) {
            throw new IllegalArgumentException("rule '" + rule + "' has a limit of concurrency, which has no permits:"
                    + " what is under way must be released, and permits are not; decide() and settle the decision"
                    + " instead");
        }
    }

    private CompletionStage<Attempt> spend(Charge charge) {
        StorePolicy policy = charge.bucket().policy();
        CompletionStage<SpendOutcome> spent;
        try {
            spent = buckets.spend(List.of(charge), Objects.requireNonNull(policy.storeTimeout()));
        } catch (Throwable e) {
            spent = CompletableFuture.failedFuture(e);
        }
        return spent.handle((outcome, failure) -> {
            if (failure != null) {
                // As with requests: no fault of the limiter stands in the way.
                listener.onFailure("internal", failure);
                return Attempt.FREE;
            }
            return attempt(outcome, charge);
        });
    }

    private Attempt attempt(SpendOutcome outcome, Charge charge) {
        ChargeOutcome made = outcome.charges().get(0);
        if (outcome.allowed()) {
            long turn = charge.kind() == Charge.Kind.BINDING ? made.longestWaitNanos() : 0;
            Receipt receipt = made.receipt();
            return receipt == null
                    ? new Attempt.Granted(turn, () -> {})
                    : new Attempt.Granted(turn, () -> giveBack(receipt, charge.cost()));
        }
        if (made.limits().isEmpty()) {
            return UNASKED;
        }
        if (made.limits().stream().anyMatch(limit -> limit.waitNanos() == LimitState.NEVER)) {
            return Attempt.NEVER;
        }
        return new Attempt.Refused(Math.max(1, made.longestWaitNanos()));
    }

    private void giveBack(Receipt receipt, long tokens) {
        try {
            buckets.undo(receipt, tokens).whenComplete((done, failure) -> {
                if (failure != null) {
                    listener.onFailure("store-error", failure);
                }
            });
        } catch (Throwable e) {
            listener.onFailure("store-error", e);
        }
    }

    private static long capacityOf(RuleCharge charge) {
        return charge.charge().bucket().limits().stream()
                .mapToLong(Limit::capacity)
                .min()
                .orElse(Long.MAX_VALUE);
    }
}
