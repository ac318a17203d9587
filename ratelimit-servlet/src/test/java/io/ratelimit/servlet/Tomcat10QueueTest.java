package io.ratelimit.servlet;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
@Tag("cluster")
class Tomcat10QueueTest extends QueueContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }
}
