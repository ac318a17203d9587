package io.ratelimit.server.envoy;

import com.google.common.math.LongMath;
import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.core.JointDecision;
import io.ratelimit.core.JointPart;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Charges the descriptors of a request. Thread-safe.
 *
 * @param limiter decides
 * @param eachByItself whether descriptors that pass are charged although another one refuses; otherwise all are charged
 *     or none
 */
record Charging(TokenBucketRateLimiter limiter, boolean eachByItself) {

    CompletionStage<JointDecision> charge(RequestContext request, List<JointPart> parts) {
        return eachByItself ? each(request, parts) : limiter.decideJointly(request, parts, Charging::sum);
    }

    private CompletionStage<JointDecision> each(RequestContext request, List<JointPart> parts) {
        List<CompletableFuture<JointDecision>> decided = parts.stream()
                .map(part -> limiter.decideJointly(request, List.of(part), Charging::sum)
                        .toCompletableFuture())
                .toList();
        return CompletableFuture.allOf(decided.toArray(CompletableFuture[]::new))
                .thenApply(all -> {
                    List<Decision> decisions = decided.stream()
                            .map(CompletableFuture::join)
                            .map(JointDecision::whole)
                            .toList();
                    return new JointDecision(deciding(decisions), decisions);
                });
    }

    /** A refusal if there is one, otherwise what has the fewest tokens left. */
    private static Decision deciding(List<Decision> decisions) {
        return decisions.stream()
                .reduce((one, other) -> isTighter(other, one) ? other : one)
                .orElseThrow();
    }

    private static boolean isTighter(Decision decision, Decision than) {
        return decision.allowed() == than.allowed() ? decision.remaining() < than.remaining() : !decision.allowed();
    }

    private static long sum(long one, long other) {
        return Math.min(LongMath.saturatedAdd(one, other), Limit.MOST_TOKENS);
    }
}
