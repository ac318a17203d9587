package io.ratelimit.client;

import io.ratelimit.Decision.Reason;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.Settlement;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Reads what {@code POST /v1/decide} has answered. Rules are made anew from what it says: their names and limits are those
 * of the daemon, the rest is nothing that a decision tells.
 */
final class DecisionReader {

    private static final int LOWEST_STATUS = 400;
    private static final int HIGHEST_STATUS = 599;

    /** That of the longest time in nanoseconds, rounded up. */
    private static final long MOST_MILLIS = TimeUnit.NANOSECONDS.toMillis(Long.MAX_VALUE) + 1;

    private final JsonFields fields;
    private final OnExceeded onExceeded;

    private DecisionReader(JsonFields fields) {
        this.fields = fields;
        this.onExceeded = fields.has("status")
                ? new OnExceeded((int) fields.number("status", LOWEST_STATUS, HIGHEST_STATUS))
                : OnExceeded.REJECT;
    }

    /**
     * Reads an answer.
     *
     * @param text the answer's body
     * @param settlement makes the settlement of a receipt
     * @throws IllegalArgumentException if it is no decision
     */
    static DaemonDecision read(String text, Function<String, Settlement> settlement) {
        try {
            return new DecisionReader(JsonFields.parse(text)).decision(settlement);
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the answer is no decision: " + e.getMessage(), e);
        }
    }

    private DaemonDecision decision(Function<String, Settlement> settlement) {
        boolean allowed = fields.flag("allowed");
        List<LimitStatus> limits = statuses(fields.objects("limits"));
        return new DaemonDecision(
                allowed,
                Reason.valueOf(fields.text("reason")),
                onExceeded.status(),
                allowed ? Optional.of(Duration.ZERO) : retryAfter(),
                fields.texts("headers"),
                limits,
                fields.has("deciding") ? limits.get((int) fields.number("deciding", 0, limits.size() - 1L)) : null,
                statuses(fields.objects("shadowRefusals")),
                fields.has("mustBeSettled") && fields.flag("mustBeSettled"),
                fields.has("receipt") ? settlement.apply(fields.text("receipt")) : Settlement.NOTHING);
    }

    private Optional<Duration> retryAfter() {
        return fields.has("retryAfterMillis")
                ? Optional.of(Duration.ofNanos(nanos(fields, "retryAfterMillis")))
                : Optional.empty();
    }

    private List<LimitStatus> statuses(List<JsonFields> told) {
        Map<String, List<Limit>> limitsByRule = new LinkedHashMap<>();
        List<Limit> limits = told.stream().map(DecisionReader::limit).toList();
        for (int i = 0; i < told.size(); i++) {
            limitsByRule
                    .computeIfAbsent(told.get(i).text("rule"), name -> new ArrayList<>())
                    .add(limits.get(i));
        }
        Map<String, Rule> rules = new LinkedHashMap<>();
        limitsByRule.forEach((name, ofRule) -> rules.put(name, rule(name, ofRule)));
        List<LimitStatus> statuses = new ArrayList<>(told.size());
        for (int i = 0; i < told.size(); i++) {
            JsonFields status = told.get(i);
            Rule rule = rules.get(status.text("rule"));
            if (rule != null) {
                statuses.add(new LimitStatus(rule, limits.get(i), status.text("policy"), state(status)));
            }
        }
        return statuses;
    }

    private Rule rule(String name, List<Limit> limits) {
        return new Rule(name, Condition.ALWAYS, new Key.Client(), limits, List.of(), onExceeded, StorePolicy.UNSET);
    }

    private static Limit limit(JsonFields told) {
        long tokens = told.number("tokens", 0, Limit.MOST_TOKENS);
        long capacity = told.number("capacity", 0, Limit.MOST_TOKENS);
        Duration period = Duration.parse(told.text("period"));
        Algorithm algorithm = Algorithm.ofWord(told.text("algorithm")).orElse(Algorithm.TOKEN_BUCKET);
        return new Limit(tokens, period, capacity, algorithm, options(algorithm, period, capacity != tokens));
    }

    /** What the answer does not tell and a limit cannot be without. */
    private static LimitOptions options(Algorithm algorithm, Duration period, boolean hasBurst) {
        return switch (algorithm) {
            case WARM_UP -> LimitOptions.NONE.withWarmUp(period);
            case CONCURRENCY -> LimitOptions.NONE.withAdaptive(hasBurst);
            default -> LimitOptions.NONE;
        };
    }

    private static LimitState state(JsonFields told) {
        return new LimitState(
                told.number("remaining", 0, Limit.MOST_TOKENS),
                told.has("retryAfterMillis") ? nanos(told, "retryAfterMillis") : LimitState.NEVER,
                told.has("nextTokenMillis") ? nanos(told, "nextTokenMillis") : 0);
    }

    private static long nanos(JsonFields told, String millis) {
        return TimeUnit.MILLISECONDS.toNanos(told.number(millis, 0, MOST_MILLIS));
    }
}
