package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class StatusUndertowTest extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }
}
