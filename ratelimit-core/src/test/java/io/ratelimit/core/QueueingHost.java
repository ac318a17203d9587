package io.ratelimit.core;

import io.ratelimit.core.queue.Turn;
import io.ratelimit.core.queue.WaitingLines;

/** A limiter whose requests may wait. */
public final class QueueingHost implements AutoCloseable {

    private final RateLimitEngine engine;

    /**
     * Begins with full buckets.
     *
     * @param rule what follows the name of its rule
     */
    public QueueingHost(ManualTimeSource time, String rule) {
        this.engine = RateLimitEngine.builder()
                .timeSource(time)
                .rules(new RulesText("service: test\nclients: [user]\nrules:\n  - { name: slow, " + rule + " }\n"))
                .build();
        engine.start();
    }

    @Override
    public void close() {
        engine.close();
    }

    /** Asks for one request. */
    public Turn ask(WaitingLines lines, String client) {
        return engine.limiter().decideInTurn(TestRequest.get("/").user(client), lines);
    }
}
