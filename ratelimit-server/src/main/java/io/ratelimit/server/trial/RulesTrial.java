package io.ratelimit.server.trial;

import io.ratelimit.Decision;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.server.document.FixedRules;
import java.time.Clock;
import java.time.Duration;

/**
 * Asks an engine of its own, in which nothing is spent yet and time stands still, what would become of requests.
 * Thread-safe.
 */
public final class RulesTrial {

    private final Clock clock;

    /**
     * Makes a trial.
     *
     * @param clock the moment at which time stands still: limits that follow the calendar are explained as of then
     */
    public RulesTrial(Clock clock) {
        this.clock = clock;
    }

    /**
     * Explains a request.
     *
     * @param rules a document that was reviewed
     * @param request the request
     * @param repetition which of several such requests it is
     * @return the explanation
     * @throws IllegalArgumentException if an engine refuses the rules though they are valid, since something that they
     *     name is not there
     */
    public Explanation explain(RulesDocument rules, DescribedRequest request, Repetition repetition) {
        ManualTimeSource time = new ManualTimeSource();
        time.stepWallClock(Duration.ofMillis(clock.millis() - time.currentTimeMillis()));
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new FixedRules(rules))
                .timeSource(time)
                .build()) {
            engine.start();
            String error = engine.rulesStatus().error();
            if (error != null) {
                throw new IllegalArgumentException(error);
            }
            for (int i = 1; i < repetition.times(); i++) {
                Decision decision = engine.limiter().decide(request);
                decision.settlement().complete(repetition.status());
            }
            return engine.explain(request);
        }
    }
}
