package io.ratelimit.benchmarks;

import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Engines with rules from memory. */
public final class RunningEngine {

    private static final String MOST_CLIENTS = "2000000";

    private RunningEngine() {}

    /**
     * Starts an engine.
     *
     * @param rules the rules
     * @return an engine that has them in force
     * @throws IllegalStateException if the rules are not in force then
     */
    public static RateLimitEngine of(RulesText rules) {
        return of(rules, TimeSource.system());
    }

    /**
     * Starts an engine with other clocks.
     *
     * @throws IllegalStateException if the rules are not in force then
     */
    static RateLimitEngine of(RulesText rules, TimeSource clocks) {
        RateLimitEngine engine = RateLimitEngine.builder()
                .timeSource(clocks)
                .rules(new Source(rules))
                .setting("maxClients", MOST_CLIENTS)
                .build();
        engine.start();
        if (engine.rules().rules().size() != rules.rules()) {
            throw new IllegalStateException("the engine did not take the rules: " + engine.rulesStatus());
        }
        return engine;
    }

    private record Source(RulesText rules) implements RulesSource {

        @Override
        public String location() {
            return "memory";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
            return last == null
                    ? Optional.of(new RulesDocument(location(), rules.utf8(), "only", 1))
                    : Optional.empty();
        }
    }
}
