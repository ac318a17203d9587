package io.ratelimit.jaxrs;

import io.ratelimit.RequestContext;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.rules.KeyGrammar;
import io.ratelimit.core.rules.LimitGrammar;
import io.ratelimit.core.rules.LimitsOfRule;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one {@link RateLimited}. What is wrong in it is reported in one line for each value, and left out: an application
 * starts with a limit missing rather than not at all.
 */
final class AnnotatedRule {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    private final RateLimited annotation;
    private final String operation;
    private final String place;

    /**
     * Reads an annotation.
     *
     * @param operation the operation's name
     * @param place the class and the method, for messages
     */
    AnnotatedRule(RateLimited annotation, String operation, String place) {
        this.annotation = annotation;
        this.operation = operation;
        this.place = place;
    }

    /** What the method does. */
    Operation operation() {
        long cost = annotation.cost();
        if (cost < RequestContext.NO_COST) {
            LOG.error(
                    "@RateLimited on {}: cost is {}: it must be at least 0, or -1 to leave it to the rules file, which"
                            + " it is left to now",
                    place,
                    cost);
            cost = RequestContext.NO_COST;
        }
        return new Operation(operation, cost);
    }

    /**
     * The rule that the annotation's limits make.
     *
     * @param name the rule's name
     * @return the rule, empty where the annotation sets no limit that can be used
     */
    Optional<Rule> rule(String name) {
        List<Limit> limits = limits();
        if (limits.isEmpty()) {
            if (annotation.limits().length == 0 && annotation.key().length > 0) {
                LOG.warn(
                        "@RateLimited on {}: key has no effect without limits; write both here, or both in the rules"
                                + " file",
                        place);
            }
            return Optional.empty();
        }
        try {
            Key key = new KeyGrammar().key(List.of(annotation.key()));
            Condition match = Condition.operation(operation);
            Rule rule = new Rule(name, match, key, limits, List.of(), OnExceeded.REJECT, StorePolicy.UNSET);
            reportCostAboveCapacity(limits);
            return Optional.of(rule);
        } catch (IllegalArgumentException e) {
            LOG.error("@RateLimited on {}: {}; it stays WITHOUT its limits", place, e.getMessage());
            return Optional.empty();
        }
    }

    private List<Limit> limits() {
        LimitsOfRule limits = new LimitsOfRule(annotation.limits().length);
        for (String text : annotation.limits()) {
            try {
                Limit limit = new LimitGrammar().parse(text);
                LimitAlgorithm.of(limit);
                limits.add(limit, "'" + limit + "' before it").ifPresent(this::reportLimit);
            } catch (IllegalArgumentException e) {
                reportLimit(e.getMessage());
            }
        }
        return limits.limits();
    }

    private void reportLimit(@Nullable String problem) {
        LOG.error("@RateLimited on {}: limits: {}; it stays WITHOUT this limit", place, problem);
    }

    private void reportCostAboveCapacity(List<Limit> limits) {
        for (Limit limit : limits) {
            if (!limit.isBlocked() && annotation.cost() > limit.capacity()) {
                LOG.warn(
                        "@RateLimited on {}: limit '{}' holds less than the cost {}; every request is refused",
                        place,
                        limit,
                        annotation.cost());
            }
        }
    }
}
