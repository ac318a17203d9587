package io.ratelimit.core.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The counters of one rule, each made when it first counts. Thread-safe. */
final class RuleMeters {

    static final String NAME = "ratelimit.decisions";

    private final String rule;
    private final OwnMeters meters;
    private final ConcurrentMap<DecisionOutcome, Counter> counters = new ConcurrentHashMap<>();

    /** Whoever counts at this moment must make no counter that nobody removes. */
    private volatile boolean gone;

    RuleMeters(String rule, OwnMeters meters) {
        this.rule = rule;
        this.meters = meters;
    }

    void count(DecisionOutcome outcome) {
        Counter counter = counters.get(outcome);
        if (counter == null) {
            counter = counters.computeIfAbsent(outcome, this::made);
        }
        // There are none any more once the rule is taken out or the engine is closed.
        if (counter != null) {
            counter.increment();
        }
    }

    private @Nullable Counter made(DecisionOutcome outcome) {
        return gone
                ? null
                : meters.counter(
                        NAME,
                        "Decisions by the rule that decided and what became of the request",
                        Tags.of("rule", rule, "outcome", outcome.word()));
    }

    void remove() {
        gone = true;
        for (DecisionOutcome outcome : DecisionOutcome.values()) {
            Counter counter = counters.remove(outcome);
            if (counter != null) {
                meters.remove(counter);
            }
        }
    }
}
