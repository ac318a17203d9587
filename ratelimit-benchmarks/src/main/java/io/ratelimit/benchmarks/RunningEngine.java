package io.ratelimit.benchmarks;

import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;

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
        return started(
                rules,
                RateLimitEngine.builder()
                        .timeSource(clocks)
                        .rules(new RulesInMemory(rules.toYaml()))
                        .setting("maxClients", MOST_CLIENTS)
                        .build());
    }

    /**
     * Starts an engine that follows a service.
     *
     * @throws IllegalStateException if the rules are not in force then
     */
    static RateLimitEngine following(RulesOverHttp service, RulesText rules) {
        return started(
                rules,
                RateLimitEngine.builder()
                        .setting("rules", service.url())
                        .setting("maxClients", MOST_CLIENTS)
                        .build());
    }

    private static RateLimitEngine started(RulesText rules, RateLimitEngine engine) {
        engine.start();
        if (engine.rules().rules().size() != rules.rules()) {
            throw new IllegalStateException("the engine did not take the rules: " + engine.rulesStatus());
        }
        return engine;
    }
}
