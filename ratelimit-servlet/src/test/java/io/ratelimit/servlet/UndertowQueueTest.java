package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class UndertowQueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }
}
