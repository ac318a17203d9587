package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "11")
class StatusTomcat11Test extends StatusServletContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
