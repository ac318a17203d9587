package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "11")
class Tomcat11Test extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedTomcat();
    }

    @Test
    void theClassPathHoldsTomcat11() {
        assertThat(ServerInfo.getServerNumber()).startsWith("11.0.");
    }
}
