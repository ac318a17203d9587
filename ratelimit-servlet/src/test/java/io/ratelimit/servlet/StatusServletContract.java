package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import io.ratelimit.servlet.RawClient.Answer;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What operators are told in every container, and that nobody else is. */
abstract class StatusServletContract extends InContainer {

    private static final String RULES = """
            clients: ["header:X-Api-Key", ip]
            exempt: [{ path: "/ratelimit/**" }]
            rules:
              - { name: everyone, match: { path: "/orders/**" }, limits: [2/h] }
            """;
    private static final String ASKED = "/ratelimit/explain?request=GET%20/orders%20ip=192.0.2.7";
    private static final String LOCAL = param("addresses", "127.0.0.1, 10.0.0.0/8");

    private RawClient client;

    private static String param(String name, String value) {
        return "<init-param><param-name>%s</param-name><param-value>%s</param-value></init-param>"
                .formatted(name, value);
    }

    private void start(String params) throws Exception {
        String login = "<filter><filter-name>login</filter-name><filter-class>%s</filter-class></filter>"
                .formatted(LogInFilter.class.getName());
        String operators = "<servlet><servlet-name>operators</servlet-name><servlet-class>%s</servlet-class>%s"
                .formatted(RateLimitStatusServlet.class.getName(), params);
        application
                .with(login)
                .mapFilter("login", "/*")
                .filter("limit", "rules", application.rules(RULES))
                .mapFilter("limit", "/*")
                .servlet(OrdersServlet.class, "/")
                .with(operators + "<load-on-startup>1</load-on-startup></servlet>")
                .with("<servlet-mapping><servlet-name>operators</servlet-name>"
                        + "<url-pattern>/ratelimit/*</url-pattern></servlet-mapping>");
        client = new RawClient(container.start(application));
        application = new WebApplication(directory);
    }

    private static void assertIsJson(Answer answer) {
        try (JsonParser json = new JsonFactory().createParser(answer.body())) {
            while (json.nextToken() != null) {
                // Each token that is none throws.
            }
        } catch (IOException e) {
            throw new AssertionError(answer.text(), e);
        }
    }

    @Test
    void withoutAGuardEverybodyIsRefused() throws Exception {
        start("");
        for (String target : new String[] {"/ratelimit/status", ASKED, "/ratelimit/other"}) {
            Answer answer = client.get(target, "X-Test-Role: admin");
            assertThat(answer.status()).isEqualTo(403);
            assertThat(answer.text()).doesNotContain("everyone");
        }
    }

    @Test
    void whoHasTheRoleIsToldHowThingsStand() throws Exception {
        start(param("role", "admin"));
        assertThat(client.get("/ratelimit/status").status()).isEqualTo(403);
        assertThat(client.get("/ratelimit/status", "X-Test-Role: clerk").status())
                .isEqualTo(403);
        client.get("/orders/1");
        Answer answer = client.get("/ratelimit/status", "X-Test-Role: admin");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).startsWith("application/json");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertIsJson(answer);
        assertThat(answer.text())
                .contains("\"ready\":true", "\"health\":\"UP\",\"reasons\":[]")
                .contains("rules.yaml\",\"origin\":\"SOURCE\",\"service\":\"test\",\"version\":")
                .contains("\"count\":1", "\"error\":null,\"errors\":[],\"failures\":0")
                .endsWith("\"store\":{\"shared\":null,\"hosts\":1,\"keys\":1}}");
    }

    @Test
    void whoPrefersTextGetsText() throws Exception {
        start(LOCAL);
        Answer status = client.get("/ratelimit/status", "Accept: text/plain");
        assertThat(status.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=utf-8");
        assertThat(status.text())
                .startsWith("ready, UP\nrules: 1 of service test, version ")
                .endsWith("\nstore: this host alone\nkeys: 0\n");
        assertThat(client.get(ASKED, "Accept: text/plain").text()).isEqualTo("""
                GET /orders
                rule everyone: applies (path /orders/** matches /orders). key: ip 192.0.2.7 (header:X-Api-Key missing).\
                 cost 1 (default).
                  limit 2 per 1h: 2 left, passes
                outcome: passes, within all limits
                """);
    }

    @Test
    void anExplanationChargesNothing() throws Exception {
        start(LOCAL);
        for (int i = 0; i < 5; i++) {
            Answer answer = client.get("/ratelimit/explain?request=GET+/orders+ip=127.0.0.1");
            assertIsJson(answer);
            assertThat(answer.text())
                    .startsWith("{\"request\":\"GET /orders\",\"allowed\":true,")
                    .contains("\"limits\":[{\"policy\":\"everyone\",\"limit\":\"2 per 1h\",\"remaining\":2,"
                            + "\"admits\":true,\"retryAfterMillis\":0}]");
        }
        assertThat(client.get("/orders/1").status()).isEqualTo(200);
        assertThat(client.get("/orders/1").status()).isEqualTo(200);
        assertThat(client.get("/orders/1").status()).isEqualTo(429);
        assertThat(client.get("/ratelimit/explain?request=GET+/orders+ip=127.0.0.1")
                        .text())
                .contains("\"allowed\":false,\"outcome\":\"refused by everyone, retry in ");
    }

    @Test
    void aSecretIsSentInABodyAndNotShownAgain() throws Exception {
        start(LOCAL);
        byte[] words = "GET /orders ip=192.0.2.7 header:X-Api-Key=s3cr3t-k3y".getBytes(StandardCharsets.UTF_8);
        Answer answer = client.post("/ratelimit/explain", "text/plain", words);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).contains("header:X-Api-Key (hidden)").doesNotContain("s3cr3t-k3y");
        byte[] form = "request=GET+/orders+header:X-Api-Key=s3cr3t-k3y".getBytes(StandardCharsets.UTF_8);
        assertThat(client.post("/ratelimit/explain", "application/x-www-form-urlencoded", form)
                        .text())
                .contains("header:X-Api-Key (hidden)")
                .doesNotContain("s3cr3t-k3y");
    }

    @Test
    void aDescriptionThatIsNoneIsRefusedWithWhatWouldBeRight() throws Exception {
        start(LOCAL);
        Answer none = client.get("/ratelimit/explain");
        assertThat(none.status()).isEqualTo(400);
        assertThat(none.text()).contains("GET /api/orders ip=192.0.2.7");
        Answer bad = client.get("/ratelimit/explain?request=GET");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.text()).contains("a request begins with a method and a path");
        Answer vast = client.post("/ratelimit/explain", "text/plain", new byte[100_000]);
        assertThat(vast.status()).isEqualTo(413);
    }

    /** As a framework's filter does that takes addresses from what proxies wrote. */
    public static final class ForwardedFilter extends HttpFilter {

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            chain.doFilter(
                    new HttpServletRequestWrapper(request) {
                        @Override
                        public String getRemoteAddr() {
                            return "127.0.0.1";
                        }

                        @Override
                        public String getHeader(String name) {
                            return name.startsWith("X-Forwarded") ? null : super.getHeader(name);
                        }
                    },
                    response);
        }
    }

    @Test
    void aFilterThatBelievesInForwardedAddressesLetsNobodyIn() throws Exception {
        application.otherFilter("forwarded", ForwardedFilter.class);
        start(LOCAL);
        assertThat(client.get("/ratelimit/status").status()).isEqualTo(200);
        assertThat(client.get("/ratelimit/status", "X-Forwarded-For: 127.0.0.1").status())
                .isEqualTo(403);
    }

    @Test
    void aCharsetThatNobodyKnowsIsRefusedWithWhatWouldBeRight() throws Exception {
        start(LOCAL);
        byte[] words = "GET /orders".getBytes(StandardCharsets.UTF_8);
        for (String charset : new String[] {"bogus", "'"}) {
            Answer answer = client.post("/ratelimit/explain", "text/plain; charset=" + charset, words);
            assertThat(answer.status()).as(charset).isEqualTo(400);
            assertThat(answer.text()).contains("UTF-8");
        }
        assertThat(client.post("/ratelimit/explain", "text/plain; charset=ISO-8859-1", words)
                        .status())
                .isEqualTo(200);
    }

    @Test
    void whoComesThroughAProxyOrFromElsewhereIsNotKnownByAddress() throws Exception {
        start(LOCAL);
        assertThat(client.get("/ratelimit/status").status()).isEqualTo(200);
        assertThat(client.get("/ratelimit/status", "X-Forwarded-For: 127.0.0.1").status())
                .isEqualTo(403);
        assertThat(client.get("/ratelimit/status", "Forwarded: for=127.0.0.1").status())
                .isEqualTo(403);
        container.close();
        container = newContainer();
        start(param("addresses", "10.0.0.0/8"));
        assertThat(client.get("/ratelimit/status").status()).isEqualTo(403);
    }

    @Test
    void roleAndAddressMustBothHoldWhereBothAreGiven() throws Exception {
        start(LOCAL + param("role", "admin"));
        assertThat(client.get("/ratelimit/status").status()).isEqualTo(403);
        assertThat(client.get("/ratelimit/status", "X-Test-Role: admin").status())
                .isEqualTo(200);
    }

    @Test
    void onlyReadingIsAnsweredAndOnlyWhatThereIs() throws Exception {
        start(LOCAL);
        Answer head = client.send("HEAD", "/ratelimit/status", new byte[0]);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.body()).isEmpty();
        Answer deleted = client.send("DELETE", "/ratelimit/status", new byte[0]);
        assertThat(deleted.status()).isEqualTo(405);
        assertThat(deleted.header("Allow")).isEqualTo("GET, HEAD, POST");
        assertThat(client.get("/ratelimit/other").status()).isEqualTo(404);
    }

    /** Jetty does not start the application then; Tomcat starts it without the servlet. */
    @Test
    void aGuardThatIsMisspeltLetsNobodyIn() {
        try {
            start(param("addresses", "localhost"));
        } catch (Exception e) {
            assertThat(e).hasStackTraceContaining("setting addresses is 'localhost': 'localhost' is no address");
            return;
        }
        assertThat(client.get("/ratelimit/status").status()).isGreaterThanOrEqualTo(400);
    }
}
