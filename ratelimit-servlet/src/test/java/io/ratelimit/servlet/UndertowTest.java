package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class UndertowTest extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }
}
