package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class UndertowAnswersTest extends AnswersContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }
}
