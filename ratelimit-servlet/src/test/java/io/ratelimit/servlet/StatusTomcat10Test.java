package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class StatusTomcat10Test extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
