package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.server.access.NewToken;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import io.ratelimit.server.web.RunningService.Answer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Nobody is shut out of a service by how it was started. */
class FirstStartTest {

    private static final String LOST = "rlt_" + "lost".repeat(10);

    @TempDir
    private Path folder;

    private DatabaseSettings database;
    private final List<NewToken> given = new ArrayList<>();

    @BeforeEach
    void nameADatabase() {
        database = new DatabaseSettings("jdbc:h2:file:" + folder.resolve("rules"), null, null);
    }

    @Test
    void aStartWhosePortIsTakenGivesOutNoToken() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() -> start("127.0.0.1", taken.getLocalPort(), List.of(), null, false))
                    .isInstanceOf(ServerStartException.class)
                    .hasMessage("cannot listen on 127.0.0.1 port " + taken.getLocalPort()
                            + " (Address already in use): stop what listens there, or give --port another");
        }
        assertThat(given).isEmpty();

        start(null, false).close();

        assertThat(given).hasSize(1);
    }

    @Test
    void aStartWithProxiesThatAreNoneGivesOutNoToken() {
        assertThatThrownBy(() -> start("127.0.0.1", 0, List.of("nonsense"), null, false))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(given).isEmpty();

        start(null, false).close();

        assertThat(given).hasSize(1);
    }

    @Test
    void thePortIsFreeAgainAfterAStartThatFailed() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        assertThatThrownBy(() -> start("127.0.0.1", port, List.of(), "no token", false))
                .isInstanceOf(IllegalArgumentException.class);

        start("127.0.0.1", port, List.of(), null, false).close();

        assertThat(given).hasSize(1);
    }

    @Test
    void whoeverAsksTooEarlyWaitsForTheAnswer() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        HttpRequest ready = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/ready"))
                .build();
        List<CompletableFuture<HttpResponse<String>>> answers = new ArrayList<>();
        ServerSettings settings = settings("127.0.0.1", port, List.of(), null, false);

        try (RulesServer server = RulesServer.start(settings, token -> {
            CompletableFuture<HttpResponse<String>> answer =
                    HttpClient.newHttpClient().sendAsync(ready, HttpResponse.BodyHandlers.ofString());
            assertThat(answer).isNotCompleted();
            answers.add(answer);
        })) {
            assertThat(answers.get(0).get().statusCode())
                    .as(server.uri().toString())
                    .isEqualTo(200);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
    void anAddressOfAnotherMachineIsNotTakenForAPortInUse(String host) {
        assertThatThrownBy(() -> start(host, 0, List.of(), null, false))
                .isInstanceOf(ServerStartException.class)
                .hasMessage("cannot listen on " + host + " port 0: this machine does not have that address; give --host"
                        + " one that it has, or 0.0.0.0 for all");
    }

    @Test
    void aHostThatIsNoneIsNamed() {
        assertThatThrownBy(() -> start("no.such.host.invalid", 0, List.of(), null, false))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("there is no such host");
    }

    @Test
    void whoeverHasLostTheAdminsTokenGetsAnotherAtAStart() {
        start(null, false).close();
        start(null, false).close();
        assertThat(given).hasSize(1);

        try (RulesServer server = start(null, true)) {
            assertThat(given).hasSize(2);
            assertThat(given.get(1).token().name()).isEqualTo("recovery");
            RunningService service =
                    RunningService.elsewhere(server.uri(), given.get(1).secret());
            Answer audit = service.get("/v1/audit", service.admin());
            assertThat(audit.status()).isEqualTo(200);
            assertThat(audit.body())
                    .contains("\"actor\":\"a start of the service\"", "for recovery: admin of all services");
        }
    }

    @Test
    void aFirstStartGivesOutOneTokenHoweverItIsAskedFor() {
        start(null, true).close();

        assertThat(given)
                .singleElement()
                .extracting(first -> first.token().name())
                .isEqualTo("bootstrap");
    }

    @Test
    void aChosenTokenThatOpensNothingIsWarnedOf() {
        start(LOST, false).close();
        assertThat(warnedWith(LOST)).isEmpty();

        assertThat(warnedWith("rlt_" + "other".repeat(10)))
                .contains("RATELIMIT_ADMIN_TOKEN opens nothing")
                .contains("--new-admin-token")
                .doesNotContain("other".repeat(10));
    }

    private String warnedWith(String chosen) {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        log.start();
        Logger logger = (Logger) LoggerFactory.getLogger(AdminAccess.class);
        logger.addAppender(log);
        try {
            start(chosen, false).close();
        } finally {
            logger.detachAppender(log);
        }
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).collect(Collectors.joining("\n"));
    }

    private RulesServer start(String chosen, boolean newAdminToken) {
        return start("127.0.0.1", 0, List.of(), chosen, newAdminToken);
    }

    private RulesServer start(String host, int port, List<String> proxies, String chosen, boolean newAdminToken) {
        return RulesServer.start(settings(host, port, proxies, chosen, newAdminToken), given::add);
    }

    private ServerSettings settings(String host, int port, List<String> proxies, String chosen, boolean newAdminToken) {
        return new ServerSettings(
                new Listening(host, port, "--port", null), database, null, proxies, chosen, newAdminToken);
    }
}
