package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.server.web.RunningService;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What whoever starts the service reads. */
@Tag("cluster")
class StartedServiceIT {

    private static final String RULES = "service: orders\nrules:\n  - { name: everyone, limits: 10/s }\n";

    @TempDir
    private Path directory;

    @Test
    void tellsWhereItsDatabaseIsAndOfNoRulesButThoseThatArePublished() throws Exception {
        try (ServerProcess service =
                ServerProcess.start(directory, "--db", "jdbc:h2:file:./rules", "--new-admin-token")) {
            assertThat(service.said())
                    .containsExactly("DATABASE " + directory.toRealPath().resolve("rules.mv.db"));

            RunningService client = service.client();
            client.publish("orders", RULES);
            assertThat(client.post(
                                    "/v1/services/orders/explain",
                                    client.admin(),
                                    "{\"request\":\"GET /api user=alice\"}")
                            .status())
                    .isEqualTo(200);

            assertThat(service.log()).doesNotContain("in force", "own-limits");
        }
        try (ServerProcess again =
                ServerProcess.start(directory, "--db", "jdbc:h2:file:./rules", "--new-admin-token")) {
            assertThat(again.said()).hasSize(3).first().asString().startsWith("ADMIN TOKEN rlt_");
        }
    }
}
