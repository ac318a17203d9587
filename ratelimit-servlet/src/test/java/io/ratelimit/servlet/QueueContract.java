package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.servlet.RawClient.Answer;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the filter promises of requests that wait for their turn, in every container. */
abstract class QueueContract extends InContainer {

    private static final String TEN_A_SECOND = "10/s burst 1";
    private static final String ONE_A_SECOND = "1/s burst 1";
    private static final String RULE =
            "clients: [\"header:X-Client\", ip]\nrules:\n  - { name: slow, limits: [%s], onExceeded: %s }";

    /** What the application has served, and when. */
    private static final Queue<Served> SERVED = new ConcurrentLinkedQueue<>();

    /** Not upgraded to HTTP/2: the client may take the reset behind an early answer for the answer. */
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private int port;

    private record Served(String name, long nanos, String user) {}

    /** Writes down who comes when. */
    public static final class Application extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            if (request.getRequestURI().endsWith("/timeout")) {
                AsyncContext own = request.startAsync();
                response.getWriter().write("timeout " + own.getTimeout());
                own.complete();
                return;
            }
            if (request.getRequestURI().endsWith("/async") && request.getAttribute("again") == null) {
                request.setAttribute("again", true);
                request.startAsync().dispatch();
                return;
            }
            SERVED.add(new Served(
                    String.valueOf(request.getQueryString()),
                    System.nanoTime(),
                    request.getUserPrincipal() == null
                            ? ""
                            : request.getUserPrincipal().getName()));
            response.setStatus(request.getRequestURI().endsWith("/denied") ? 401 : 200);
            response.getWriter().write("served");
        }
    }

    /** What nobody may reach by the other servlet's path. */
    public static final class Admin extends HttpServlet {

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getWriter().write("admin");
        }
    }

    /** Lets nobody pass. */
    public static final class Wall extends HttpFilter {

        @Override
        protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws IOException {
            response.sendError(403);
        }
    }

    @BeforeEach
    void prepare() {
        SERVED.clear();
        Entrance.DECIDED.set(0);
    }

    private void start(String limit, String onExceeded) throws Exception {
        application
                .otherFilter("entrance", Entrance.class)
                .filter("limit", "rules", application.rules(RULE.formatted(limit, onExceeded)), "lastFilter", "true")
                .mapFilter("limit", "/*")
                .servlet(Application.class, "/");
        port = container.start(application);
    }

    private CompletableFuture<HttpResponse<String>> send(String target) {
        return send(http, target);
    }

    private CompletableFuture<HttpResponse<String>> send(HttpClient client, String target) {
        return client.sendAsync(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + target))
                        .timeout(Duration.ofSeconds(20))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends requests one after the other, each as soon as the one before waits or is answered. */
    private List<CompletableFuture<HttpResponse<String>>> sendInTurn(int requests, String path) {
        return IntStream.range(0, requests)
                .mapToObj(i -> {
                    CompletableFuture<HttpResponse<String>> answer = send(path + "?" + i);
                    await().pollInterval(Duration.ofMillis(1))
                            .until(() -> Entrance.DECIDED.get() > i || answer.isDone());
                    return answer;
                })
                .toList();
    }

    private static List<Integer> statuses(List<CompletableFuture<HttpResponse<String>>> answers) {
        return answers.stream().map(answer -> answer.join().statusCode()).toList();
    }

    @Test
    void requestsWaitAndAreServedAtTheRateInTheOrderInWhichTheyCame() throws Exception {
        start(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }");

        assertThat(statuses(sendInTurn(6, "/"))).containsOnly(200);

        List<Served> served = List.copyOf(SERVED);
        assertThat(served).extracting(Served::name).containsExactly("0", "1", "2", "3", "4", "5");
        for (int i = 1; i < served.size(); i++) {
            long millis = Duration.ofNanos(served.get(i).nanos() - served.get(0).nanos())
                    .toMillis();
            assertThat(millis).isGreaterThan(i * 100L - 30);
        }
    }

    @Test
    void aRequestWithoutAPlaceIsRefusedAtOnce() throws Exception {
        start(ONE_A_SECOND, "{ queue: 2, maxWait: 5s, status: 503 }");

        List<CompletableFuture<HttpResponse<String>>> answers = sendInTurn(4, "/");

        assertThat(answers.get(3).join().headers().firstValue("Retry-After")).contains("3");
        assertThat(answers.get(1)).isNotDone();
        assertThat(statuses(answers)).containsExactly(200, 200, 200, 503);
    }

    @Test
    void aRequestWhoseTurnWouldComeTooLateIsRefusedAtOnce() throws Exception {
        start(ONE_A_SECOND, "{ queue: 100, maxWait: 1500ms }");

        assertThat(statuses(sendInTurn(3, "/"))).containsExactly(200, 200, 429);
    }

    @Test
    void otherClientsDoNotWait() throws Exception {
        start(ONE_A_SECOND, "{ queue: 100, maxWait: 5s }");

        List<CompletableFuture<HttpResponse<String>>> waiting = sendInTurn(2, "/");
        HttpResponse<String> other = http.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/?other"))
                        .header("X-Client", "another")
                        .build(),
                HttpResponse.BodyHandlers.ofString());

        assertThat(other.statusCode()).isEqualTo(200);
        assertThat(waiting.get(1)).isNotDone();
        assertThat(statuses(waiting)).containsOnly(200);
    }

    @Test
    void nobodyWaitsWhereAFilterBehindWouldBeSkipped() throws Exception {
        try (CapturedLog log = new CapturedLog(RateLimitFilter.class)) {
            application
                    .otherFilter("entrance", Entrance.class)
                    .filter(
                            "limit",
                            "rules",
                            application.rules(RULE.formatted(ONE_A_SECOND, "{ queue: 10, maxWait: 5s }")))
                    .mapFilter("limit", "/*")
                    .otherFilter("wall", Wall.class)
                    .servlet(Application.class, "/");
            port = container.start(application);

            assertThat(statuses(sendInTurn(3, "/"))).containsExactly(403, 429, 429);
            assertThat(SERVED).isEmpty();
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("No request waits")
                    .contains("[entrance, wall]")
                    .contains("lastFilter");
        }
    }

    @Test
    void theJarsOwnFilterThatStandsBackKeepsNobodyFromWaiting() throws Exception {
        String rules = application.rules(RULE.formatted(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }"));
        application
                .resource("ratelimit.yaml", "service: test\nrules: [{ name: all, limits: [1/h] }]\n")
                .servlet(Application.class, "/")
                .onStart(context -> {
                    FilterRegistration.Dynamic filter = context.addFilter(
                            "limit", RateLimitFilter.builder().rules(rules).build());
                    filter.setAsyncSupported(true);
                    filter.addMappingForUrlPatterns(null, true, "/*");
                });
        port = container.start(application);

        assertThat(statuses(List.of(send("/"), send("/")))).containsOnly(200);
    }

    @Test
    void whoWaitsKeepsWhatFiltersBeforeHaveMadeOfTheRequest() throws Exception {
        application.otherFilter("login", LogInFilter.class);
        start(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }");
        for (int i = 0; i < 2; i++) {
            assertThat(new RawClient(port).get("/?" + i, "X-Test-User: alice").status())
                    .isEqualTo(200);
        }

        assertThat(SERVED).extracting(Served::user).containsExactly("alice", "alice");
    }

    @Test
    void theApplicationMayBecomeAsynchronousAfterTheWait() throws Exception {
        start(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }");

        assertThat(statuses(sendInTurn(3, "/async"))).containsOnly(200);
        assertThat(SERVED).extracting(Served::name).containsExactlyInAnyOrder("0", "1", "2");
    }

    @Test
    void aHundredWhoGoAwayFreeTheirPlacesAndTheirTurns() throws Exception {
        assumeTrue(container.tellsOfResets());
        start(TEN_A_SECOND, "{ queue: 100, maxWait: 1m }");
        HttpClient leaving =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        // The connection changes to HTTP/2 by a request.
        assertThat(send(leaving, "/?first").join().version()).isEqualTo(HttpClient.Version.HTTP_2);
        List<CompletableFuture<HttpResponse<String>>> waiting =
                IntStream.range(0, 100).mapToObj(i -> send(leaving, "/?leaves")).toList();
        await().until(() -> Entrance.DECIDED.get() > 90);

        try (CapturedLog log = new CapturedLog(RateLimitFilter.class)) {
            waiting.forEach(answer -> answer.cancel(true));
            long begun = System.nanoTime();
            assertThat(statuses(sendInTurn(5, "/"))).containsOnly(200);

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(4));
            assertThat(log.messages()).isEmpty();
        }
    }

    @Test
    void aWaitLeavesTheApplicationTheContainersOwnTimeout() throws Exception {
        start(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }");
        List<String> bodies = sendInTurn(2, "/timeout").stream()
                .map(answer -> answer.join().body())
                .toList();

        assertThat(bodies.get(0)).matches("timeout \\d{5,}").isEqualTo(bodies.get(1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/admin/%2e%2e/app/x", "/admin/../app/x", "/admin/secret/../../app/x", "/app/./x", "//app/x"})
    void aWaitLeadsNobodyToAnotherServletThanTheOneWithoutAWait(String target) throws Exception {
        application.servlet(Admin.class, "/admin/*");
        start(TEN_A_SECOND, "{ queue: 10, maxWait: 5s }");
        RawClient client = new RawClient(port);
        Answer first = client.get(target);
        Answer second = client.get(target);

        assertThat(second.status()).isIn(429, first.status());
        assertThat(second.text().equals("admin")).isEqualTo(first.text().equals("admin"));
        assertThat(client.get("/app/a%20b;c=d").status()).isEqualTo(200);
    }

    @Test
    void whoStillWaitsWhenTheApplicationEndsIsRefusedAtOnce() throws Exception {
        start(ONE_A_SECOND, "{ queue: 10, maxWait: 5m, status: 503 }");
        List<CompletableFuture<HttpResponse<String>>> answers = sendInTurn(5, "/");
        assertThat(answers.get(0).join().statusCode()).isEqualTo(200);
        long begun = System.nanoTime();
        container.endApplications();

        assertThat(statuses(answers.subList(1, 5))).containsOnly(503);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(5));
    }
}
