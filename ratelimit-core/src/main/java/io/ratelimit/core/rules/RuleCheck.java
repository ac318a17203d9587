package io.ratelimit.core.rules;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.rules.Charging;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds limits that do not go with the rest of their rule. */
public final class RuleCheck {

    private RuleCheck() {}

    /**
     * Checks one rule.
     *
     * @param rule the rule
     * @param policy how the shared store is used where the rule does not say
     * @return one sentence for each problem
     */
    public static List<String> of(Rule rule, StorePolicy policy) {
        List<String> problems = new ArrayList<>();
        Sharing sharing =
                rule.store().orElse(policy).orElse(StorePolicy.BUILT_IN).sharing();
        limits(rule).forEach(limit -> {
            if (!limit.algorithm().isShareable() && sharing != Sharing.HOST) {
                problems.add("the limit '" + limit + "' measures what happens on one host, and hosts cannot share it;"
                        + " write sharing: host in the rule");
            }
            if (limit.options().adaptive() && !(rule.key() instanceof Key.Service)) {
                problems.add("the limit '" + limit + "' learns one number for all clients; write key: service in the"
                        + " rule, or leave adaptive out");
            }
        });
        if (rule.onExceeded().action() == OnExceeded.Action.QUEUE) {
            if (!(rule.charging() instanceof Charging.OnRequest)) {
                problems.add(
                        "a turn is paid for before the response is known, and not given back while others wait behind;"
                                + " leave charge out, or the queue");
            }
            limits(rule)
                    .map(RuleCheck::whyNobodyWaits)
                    .flatMap(Optional::stream)
                    .forEach(problems::add);
        }
        return problems;
    }

    private static Optional<String> whyNobodyWaits(Limit limit) {
        if (LimitAlgorithm.of(limit).longestTurnNanos() == 0) {
            return Optional.of("nobody can wait for a turn under the limit '" + limit
                    + "'; onExceeded: { queue: … } goes" + " with token-bucket, gcra, leaky-bucket and warm-up");
        }
        boolean countsRefusals =
                limit.options().penalty() != null || limit.options().chargeRefused();
        return countsRefusals
                ? Optional.of(
                        "the limit '" + limit + "' makes refused requests pay, and one that waits is refused first;"
                                + " leave penalty and chargeRefused out, or the queue")
                : Optional.empty();
    }

    private static Stream<Limit> limits(Rule rule) {
        return Stream.concat(
                rule.limits().stream(),
                rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream));
    }
}
