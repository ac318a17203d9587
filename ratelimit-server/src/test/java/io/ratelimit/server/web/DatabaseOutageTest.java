package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService.Answer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Databases that go away under the service and come back. */
class DatabaseOutageTest {

    private static final String RULES = "service: orders\nrules:\n  - { name: everyone, limits: 10/s }\n";

    /** Those of the service, since one process opens a file in one way. */
    private static final String H2_OPTIONS =
            ";MODE=PostgreSQL;DATABASE_TO_LOWER=TRUE;DEFAULT_NULL_ORDERING=HIGH;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE";

    @TempDir
    Path data;

    @Test
    void answersWithTheReasonWhileItsDatabaseIsAwayAndRecoversByItself() throws Exception {
        int port = FreePort.find();
        EmbeddedPostgres first = postgres(port);
        DatabaseSettings database = new DatabaseSettings(first.getJdbcUrl("postgres", "postgres"), null, null);
        try (RunningService service = RunningService.firstStart(database)) {
            service.publish("orders", RULES);
            Visitor visitor = Visitor.signedIn(service, service.admin());
            first.close();

            Answer away = service.get("/v1/services/orders/rules", service.admin());
            assertThat(away.status()).isEqualTo(503);
            assertThat(away.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(away.header("Retry-After")).isEqualTo("5");
            assertThat(away.json().get("detail").asText()).contains("database does not answer");
            assertThat(service.publish("orders", RULES + "\n").status()).isEqualTo(503);
            Visitor.Page page = visitor.open("/services/orders");
            assertThat(page.status()).isEqualTo(503);
            assertThat(page.header("Retry-After")).isEqualTo("5");
            assertThat(page.document().select("h1").text()).isEqualTo("Out of reach for a moment");
            assertThat(page.text()).contains("database does not answer");
            assertThat(service.get("/health", null).status()).isEqualTo(200);
            assertThat(service.get("/ready", null).status()).isEqualTo(503);

            try (EmbeddedPostgres again = postgres(port)) {
                await().atMost(Duration.ofSeconds(15))
                        .until(() -> service.get("/ready", null).status() == 200);
                assertThat(service.get("/v1/services/orders/rules", service.admin())
                                .body())
                        .isEqualTo(RULES);
                assertThat(visitor.open("/services/orders").status()).isEqualTo(200);
                assertThat(again.getPort()).isEqualTo(port);
            }
        }
    }

    /** As H2 closes a file itself when it cannot write it any more. */
    @Test
    void opensAnH2FileAgainThatWasClosedUnderIt() throws Exception {
        String url = "jdbc:h2:file:" + data.resolve("rules");
        try (RunningService service = RunningService.firstStart(new DatabaseSettings(url, null, null))) {
            service.publish("orders", RULES);
            try (Connection other = DriverManager.getConnection(url + H2_OPTIONS);
                    Statement statement = other.createStatement()) {
                statement.execute("shutdown immediately");
            }

            await().atMost(Duration.ofSeconds(15))
                    .until(() -> service.get("/ready", null).status() == 200);
            assertThat(service.get("/v1/services/orders/rules", service.admin()).body())
                    .isEqualTo(RULES);
            assertThat(service.publish("orders", RULES + "\n").status()).isEqualTo(200);
        }
    }

    private EmbeddedPostgres postgres(int port) throws Exception {
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .start();
    }
}
