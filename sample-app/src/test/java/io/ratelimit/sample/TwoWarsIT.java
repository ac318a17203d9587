package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
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
        War war = War.write(
                directory.resolve(name),
                "hello",
                LIMIT + "/h",
                Map.of(
                        "cluster", "two-wars",
                        "members", "127.0.0.1:%d,127.0.0.1:%d".formatted(memberPort, memberPort + 1),
                        "memberPort", Integer.toString(memberPort)));
        Context context = tomcat.addWebapp("/" + name, war.toString());
        context.setParentClassLoader(TwoWarsIT.class.getClassLoader());
    }
}
