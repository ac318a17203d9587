package io.ratelimit.junit;

import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;

/**
 * Sends requests, described in the words of {@link DescribedRequest}, through the rules of a test. They are charged like
 * real ones. Thread-safe.
 */
public final class RulesUnderTest {

    private final RateLimitEngine engine;

    RulesUnderTest(RateLimitEngine engine) {
        this.engine = engine;
    }

    /**
     * Sends one request.
     *
     * @param description such as {@code GET /api/orders user=alice ip=192.0.2.7}
     * @return what became of it, to be asserted
     * @throws IllegalArgumentException if the description is none; the message says what would be right
     */
    public RequestAssert request(String description) {
        DescribedRequest request = DescribedRequest.parse(description);
        return new RequestAssert(engine, description, request, engine.limiter().decide(request));
    }

    /**
     * Sends the same request several times at one moment, and answers those that pass with 200.
     *
     * @param times how often, at least 0
     * @param description such as {@code GET /api/orders user=alice}
     * @return how many pass
     * @throws IllegalArgumentException if the description is none; the message says what would be right
     */
    public int allowedOf(int times, String description) {
        DescribedRequest request = DescribedRequest.parse(description);
        int allowed = 0;
        for (int i = 0; i < times; i++) {
            Decision decision = engine.limiter().decide(request);
            decision.settlement().complete(200);
            allowed += decision.allowed() ? 1 : 0;
        }
        return allowed;
    }
}
