package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "jakarta.ee", matches = "10")
class UndertowTest extends FilterContract {

    @Override
    WebContainer newContainer() {
        return new EmbeddedUndertow();
    }

    @Test
    void dotSegmentsThatNoHandlerResolvesReachNoServletThatIsMappedToThePath() throws Exception {
        WebApplication application = new WebApplication(directory.resolve("unresolved"));
        String rules =
                application.rules("clients: [ip]\nrules:\n  - { name: login, match: { path: /login }, limits: [2/h] }");
        application.filter("limit", "rules", rules).mapFilter("limit", "/*").servlet(OrdersServlet.class, "/login");
        try (WebContainer container = new EmbeddedUndertow(UnaryOperator.identity())) {
            RawClient client = new RawClient(container.start(application));
            for (String spelling : List.of("/./login", "/x/../login", "/./login", "/x/../login")) {
                assertThat(client.get(spelling).status()).as(spelling).isEqualTo(404);
            }
            assertThat(OrdersServlet.SERVED).hasValue(0);
            assertThat(client.get("/login").header("X-RateLimit-Remaining")).isEqualTo("1");
        }
    }
}
