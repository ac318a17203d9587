package io.ratelimit.servlet;

import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "11")
class JettyEe11QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new JettyEe11();
    }
}
