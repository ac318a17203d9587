package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two applications of one Tomcat, with nothing but a {@code web.xml} and rules. */
@Tag("cluster")
class TwoWarsIT {

    private static final int LIMIT = 10;

    private final Caller caller = new Caller();
    private final Tomcat tomcat = new Tomcat();

    @TempDir
    private Path directory;

    private String url;

    @BeforeEach
    void start() throws Exception {
        int port = FreePorts.consecutive(1);
        int memberPort = FreePorts.consecutive(2);
        tomcat.setBaseDir(directory.resolve("tomcat").toString());
        tomcat.setHostname("localhost");
        tomcat.setPort(port);
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.setAddDefaultWebXmlToWebapp(false);
        deploy("one", memberPort);
        deploy("two", memberPort);
        tomcat.start();
        for (var application : tomcat.getHost().findChildren()) {
            assertThat(application.getState()).isEqualTo(LifecycleState.STARTED);
        }
        url = "http://127.0.0.1:" + port;
    }

    @AfterEach
    void stop() throws Exception {
        tomcat.stop();
        tomcat.destroy();
    }

    @Test
    void twoWarsOfOneClusterShareBudgetsWithoutALineOfJava() {
        int passed = 0;
        for (int i = 0; i < 2 * LIMIT; i++) {
            String war = i % 2 == 0 ? "/one" : "/two";
            if (caller.get(url + war + "/hello", key("client")).isPassed()) {
                passed++;
            }
        }
        assertThat(passed).isEqualTo(LIMIT);
        assertThat(caller.get(url + "/one/hello", key("other")).remaining()).isEqualTo(LIMIT - 1);
        assertThat(caller.get(url + "/two/hello", key("other")).remaining()).isEqualTo(LIMIT - 2);
    }

    private void deploy(String name, int memberPort) throws IOException {
        Path war = Files.createDirectories(directory.resolve(name).resolve("WEB-INF"));
        Path rules = Files.writeString(war.resolve("rules.yaml"), """
                service: hello
                clients: ["header:X-Api-Key", ip]
                rules:
                  - { name: hello, match: { path: /hello }, limits: %d/h }
                """.formatted(LIMIT));
        Files.writeString(war.resolve("web.xml"), """
                <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1">
                  <filter>
                    <filter-name>ratelimit</filter-name>
                    <filter-class>io.ratelimit.servlet.RateLimitFilter</filter-class>
                    <init-param><param-name>rules</param-name><param-value>%s</param-value></init-param>
                    <init-param><param-name>cluster</param-name><param-value>two-wars</param-value></init-param>
                    <init-param><param-name>members</param-name>
                      <param-value>127.0.0.1:%d,127.0.0.1:%d</param-value></init-param>
                    <init-param><param-name>memberPort</param-name><param-value>%d</param-value></init-param>
                  </filter>
                  <filter-mapping>
                    <filter-name>ratelimit</filter-name><url-pattern>/*</url-pattern>
                  </filter-mapping>
                  <servlet>
                    <servlet-name>hello</servlet-name>
                    <servlet-class>io.ratelimit.sample.HelloServlet</servlet-class>
                  </servlet>
                  <servlet-mapping>
                    <servlet-name>hello</servlet-name><url-pattern>/hello</url-pattern>
                  </servlet-mapping>
                </web-app>
                """.formatted(rules, memberPort, memberPort + 1, memberPort));
        Context context = tomcat.addWebapp("/" + name, war.getParent().toString());
        context.setParentClassLoader(TwoWarsIT.class.getClassLoader());
    }
}
