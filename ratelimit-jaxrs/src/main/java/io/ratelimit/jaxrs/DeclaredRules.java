package io.ratelimit.jaxrs;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The rules that annotations make. Which engine decides may be known only when the first request comes: each engine that
 * does is told all of them once. Thread-safe.
 */
final class DeclaredRules {

    private static final Logger LOG = LoggerFactory.getLogger(RateLimitFeature.class);

    /** Which engine knows which rules. */
    private record Told(@Nullable RateLimitEngine engine, int rules) {}

    private record Declared(List<Rule> rules, String place) {}

    private final Map<String, Declared> byOperation = new HashMap<>();
    private final List<Rule> all = new ArrayList<>();
    private volatile int count;
    private volatile Told told = new Told(null, 0);

    /**
     * Adds the rules that one method makes for an operation. Another method may name the same operation, with the same
     * rules or none.
     */
    synchronized void add(String operation, List<Rule> rules, String place) {
        if (rules.isEmpty()) {
            return;
        }
        Declared earlier = byOperation.putIfAbsent(operation, new Declared(rules, place));
        if (earlier == null) {
            all.addAll(rules);
            count = all.size();
        } else if (!earlier.rules.equals(rules)) {
            LOG.error(
                    "@RateLimited on {} sets other limits for operation '{}' than {} does; those of the latter hold for"
                            + " both: write them in one place, or name another operation",
                    place,
                    operation,
                    earlier.place);
        }
    }

    /** Sees to it that an engine knows all rules that were added so far. */
    void tell(RateLimitEngine engine) {
        Told last = told;
        if (last.engine != engine || last.rules != count) {
            declare(engine);
        }
    }

    private synchronized void declare(RateLimitEngine engine) {
        for (Rule rule : all) {
            try {
                engine.declare(rule);
            } catch (IllegalArgumentException e) {
                LOG.error("Operation '{}' stays WITHOUT the limits of its annotation: {}", rule.name(), e.getMessage());
            }
        }
        told = new Told(engine, all.size());
    }
}
