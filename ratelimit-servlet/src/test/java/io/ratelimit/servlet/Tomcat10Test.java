package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
@Tag("cluster")
class Tomcat10Test extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }

    @Test
    void theClassPathHoldsTomcat10() {
        assertThat(ServerInfo.getServerNumber()).startsWith("10.1.");
    }
}
