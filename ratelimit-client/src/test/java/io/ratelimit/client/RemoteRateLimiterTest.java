package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision;
import io.ratelimit.Decision.Reason;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import io.ratelimit.client.StubDaemon.Asked;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RemoteRateLimiterTest {

    private static final Duration DEADLINE = Duration.ofMillis(250);

    private static final String REFUSED = """
            {"allowed":false,"reason":"LIMIT_EXCEEDED","status":503,"retryAfterMillis":1200,
             "headers":{"RateLimit":"\\"per-user\\";r=0;t=2","Retry-After":"2"},
             "limits":[
              {"rule":"per-user","policy":"per-user:1s","tokens":5,"period":"PT1S","capacity":10,"algorithm":"token-bucket",
               "remaining":0,"retryAfterMillis":1200,"nextTokenMillis":200},
              {"rule":"per-user","policy":"per-user:1h","tokens":500,"period":"PT1H","capacity":500,"algorithm":"gcra",
               "remaining":7,"retryAfterMillis":0,"nextTokenMillis":100}],
             "deciding":0,
             "shadowRefusals":[
              {"rule":"tried","policy":"tried","tokens":1,"period":"PT0S","capacity":9,"algorithm":"concurrency",
               "remaining":0,"retryAfterMillis":null}],
             "mustBeSettled":false,"somethingNew":[1.5,{"a":null}]}
            """;

    private StubDaemon daemon;

    @BeforeEach
    void startDaemon() throws IOException {
        daemon = new StubDaemon();
    }

    @AfterEach
    void stopDaemon() {
        daemon.close();
    }

    private RemoteRateLimiterBuilder limiter(String... addresses) {
        return RemoteRateLimiter.of(addresses.length == 0 ? new String[] {daemon.address()} : addresses)
                .transports(transports())
                .deadline(DEADLINE);
    }

    TransportFactory transports() {
        return new InstalledClient();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void tellsTheDaemonWhatRulesMayNeedAndNothingElse() {
        try (RemoteRateLimiter limiter = limiter()
                .headers("x-api-key", "X-Many", "X-Absent")
                .cookies("sid")
                .attributes("tier", "seats")
                .queryParameters("limit")
                .build()) {
            limiter.decide(Requests.full());
        }

        assertThat(daemon.asked("/v1/decide")).singleElement().satisfies(asked -> {
            assertThat(asked.method()).isEqualTo("POST");
            assertThat(asked.body())
                    .isEqualTo("{\"method\":\"POST\",\"path\":\"/api/reports/7\",\"query\":\"limit=5&limit=a+b%26c\","
                            + "\"operation\":\"export\",\"cost\":3,\"ip\":\"2001:db8:0:0:0:0:0:1\",\"user\":\"alice\","
                            + "\"headers\":{\"x-api-key\":\"k\\\"1\",\"X-Many\":[\"a\",\"b\"]},\"cookies\":{\"sid\":\"1\"},"
                            + "\"attributes\":{\"tier\":\"gold\",\"seats\":\"7\"}}");
        });
    }

    @Test
    void keepsTheClientsCredentialsToItselfUnlessTheyAreAskedFor() {
        try (RemoteRateLimiter limiter = limiter().build();
                RemoteRateLimiter telling = limiter().headers("Authorization").build()) {
            limiter.decide(Requests.full());
            telling.decide(Requests.full());
        }

        assertThat(daemon.asked("/v1/decide"))
                .extracting(asked -> asked.body().contains("of-the-client"))
                .containsExactly(false, true);
    }

    @Test
    void sendsATokenThatMayChange() {
        List<String> tokens = new ArrayList<>(List.of("t1", "t2", "t3", "t4"));
        try (RemoteRateLimiter limiter = limiter().token(() -> tokens.remove(0)).build()) {
            limiter.decide(Requests.get("/"));
            limiter.decide(Requests.get("/"));
        }

        assertThat(daemon.asked("/v1/decide"))
                .extracting(Asked::authorization)
                .containsExactly("Bearer t3", "Bearer t4");
    }

    @Test
    void keepsItsConnection() throws Exception {
        try (RemoteRateLimiter limiter = limiter().build()) {
            for (int i = 0; i < 20; i++) {
                assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.NO_LIMIT);
            }
        }

        assertThat(daemon.peers()).hasSize(1);
    }

    @Test
    void tellsWhatTheDaemonHasDecided() {
        daemon.decision = REFUSED;
        try (RemoteRateLimiter limiter = limiter().build()) {
            RemoteDecision decision = limiter.decide(Requests.get("/"));

            assertThat(decision.allowed()).isFalse();
            assertThat(decision.reason()).isEqualTo(Reason.LIMIT_EXCEEDED);
            assertThat(decision.status()).isEqualTo(503);
            assertThat(decision.retryAfter()).contains(Duration.ofMillis(1_200));
            assertThat(decision.headers())
                    .containsEntry("RateLimit", "\"per-user\";r=0;t=2")
                    .containsEntry("Retry-After", "2");
            assertThat(decision.limits()).extracting(LimitStatus::policy).containsExactly("per-user:1s", "per-user:1h");
            assertThat(decision.limits())
                    .extracting(LimitStatus::limit)
                    .containsExactly(
                            Limit.of(5, Duration.ofSeconds(1)).withBurst(10),
                            new Limit(500, Duration.ofHours(1), 500, Algorithm.GCRA));
            assertThat(decision.decidingLimit()).isEqualTo(decision.limits().get(0));
            assertThat(decision.decidingRule().name()).isEqualTo("per-user");
            assertThat(decision.decidingRule().limits()).hasSize(2);
            assertThat(decision.decidingRule().onExceeded().status()).isEqualTo(503);
            assertThat(decision.limits().get(1).admits()).isTrue();
            assertThat(decision.shadowRefusals()).singleElement().satisfies(shadow -> {
                assertThat(shadow.limit().algorithm()).isEqualTo(Algorithm.CONCURRENCY);
                assertThat(shadow.retryAfter()).isEmpty();
            });
            assertThat(decision.mustBeSettled()).isFalse();
            assertThat(decision.settlement()).isSameAs(Settlement.NOTHING);
        }
    }

    @Test
    void looksWithoutACharge() {
        try (RemoteRateLimiter limiter = limiter().settles(true).build()) {
            assertThat(limiter.look(Requests.get("/")).allowed()).isTrue();
        }

        assertThat(daemon.asked("/v1/decide")).singleElement().satisfies(asked -> {
            assertThat(asked.body()).contains("\"look\":true").doesNotContain("settle");
        });
    }

    @Test
    void decidesWithoutHoldingAThread() throws Exception {
        daemon.decision = REFUSED;
        daemon.delay = Duration.ofMillis(50);
        try (RemoteRateLimiter limiter = limiter().build()) {
            CompletableFuture<Decision> decision =
                    limiter.decideAsync(Requests.get("/")).toCompletableFuture();

            assertThat(decision).isNotDone();
            assertThat(decision.get(5, TimeUnit.SECONDS)).isInstanceOf(RemoteDecision.class);
            assertThat(decision.get().allowed()).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestPassesWhoseDecisionDoesNotComeInTime(boolean async) throws Exception {
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.decision = REFUSED;
            daemon.delay = Duration.ofMillis(700);
            long start = System.nanoTime();

            Decision decision = async
                    ? limiter.decideAsync(Requests.get("/"))
                            .toCompletableFuture()
                            .get(5, TimeUnit.SECONDS)
                    : limiter.decide(Requests.get("/"));

            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .isBetween(DEADLINE.minusMillis(20), Duration.ofMillis(600));
            assertThat(decision.allowed()).isTrue();
            assertThat(decision.reason()).isEqualTo(Reason.FAILURE);
        }
    }

    @Test
    void anInterruptNeitherCutsADecisionShortNorIsLost() {
        try (RemoteRateLimiter limiter = limiter().build()) {
            Thread.currentThread().interrupt();

            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.NO_LIMIT);
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200|",
                "200|null",
                "200|[]",
                "200|{}",
                "200|{\"allowed\":\"yes\"}",
                "200|{\"allowed\":true}",
                "200|{\"allowed\":true,\"reason\":\"LUCK\"}",
                "200|{\"allowed\":true,\"reason\":\"NO_LIMIT\"} and more",
                "200|{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"limits\":[],\"deciding\":3}",
                "200|{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"limits\":[7]}",
                "200|{\"allowed\":false,\"reason\":\"LIMIT_EXCEEDED\",\"status\":200}",
                "200|<html>a login page</html>",
                "302|",
                "401|{}",
                "404|{}",
                "500|{\"allowed\":false,\"reason\":\"LIMIT_EXCEEDED\"}",
                "503|{}",
            })
    void aRequestPassesWhoseAnswerIsNonsense(int status, String answer) {
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.status = status;
            daemon.decision = answer == null ? "" : answer;

            RemoteDecision decision = limiter.decide(Requests.get("/"));

            assertThat(decision.allowed()).isTrue();
            assertThat(decision.reason()).isEqualTo(Reason.FAILURE);
        }
    }

    @Test
    void anAnswerWithoutEndIsNotRead() {
        try (RemoteRateLimiter limiter =
                limiter().deadline(Duration.ofSeconds(10)).build()) {
            daemon.decision = "{\"a\":\"" + "x".repeat(5 << 20) + "\"}";

            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
        }
    }

    @Test
    void aRequestThatCannotBeReadPassesAndIsTold() {
        List<String> heard = new CopyOnWriteArrayList<>();
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onDecision(RequestContext context, Decision decision) {
                heard.add(decision.reason().name());
            }

            @Override
            public void onFailure(String kind, Throwable cause) {
                heard.add(kind);
            }
        };
        RequestContext broken = new RequestContext() {
            @Override
            public String method() {
                throw new IllegalStateException("recycled");
            }

            @Override
            public String path() {
                return "/";
            }

            @Override
            public String peerAddress() {
                return null;
            }

            @Override
            public String user() {
                return null;
            }

            @Override
            public List<String> headers(String name) {
                return List.of();
            }

            @Override
            public String cookie(String name) {
                return null;
            }

            @Override
            public Object attribute(String name) {
                return null;
            }
        };
        try (RemoteRateLimiter limiter = limiter().listener(listener).build()) {
            assertThat(limiter.decide(broken).reason()).isEqualTo(Reason.FAILURE);
            assertThat(limiter.decideAsync(broken).toCompletableFuture().join().reason())
                    .isEqualTo(Reason.FAILURE);
        }

        assertThat(heard).containsExactly("internal", "FAILURE", "internal", "FAILURE");
    }

    @Test
    void aTokenThatCannotBeSentIsShownToNobody() {
        List<Throwable> failures = new CopyOnWriteArrayList<>();
        try (RemoteRateLimiter limiter = limiter()
                .token(() -> "secret\nof mine")
                .listener(new RateLimitListener() {
                    @Override
                    public void onFailure(String kind, Throwable cause) {
                        failures.add(cause);
                    }
                })
                .build()) {
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
        }

        assertThat(failures).allSatisfy(failure -> assertThat(failure).message().doesNotContain("secret"));
    }

    @Test
    void asksTheNextDaemonWhereTheFirstIsNotThere() throws Exception {
        try (StubDaemon second = new StubDaemon();
                RemoteRateLimiter limiter =
                        limiter(daemon.address(), second.address()).build()) {
            limiter.decide(Requests.get("/"));
            assertThat(second.asked("/v1/decide")).isEmpty();

            daemon.close();

            for (int i = 0; i < 10; i++) {
                assertThat(limiter.decide(Requests.get("/")).reason()).isIn(Reason.NO_LIMIT, Reason.FAILURE);
            }
            assertThat(second.asked("/v1/decide")).hasSizeGreaterThanOrEqualTo(9);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {302, 429, 500, 502, 504})
    void asksNoOtherDaemonWhereTheFirstMayHaveCharged(int status) throws Exception {
        try (StubDaemon second = new StubDaemon();
                RemoteRateLimiter limiter =
                        limiter(daemon.address(), second.address()).build()) {
            daemon.status = status;

            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
            assertThat(second.asked("/v1/decide")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {401, 403, 404, 405, 503})
    void asksTheNextDaemonWhereTheFirstHasSurelyNotCharged(int status) throws Exception {
        try (StubDaemon second = new StubDaemon();
                RemoteRateLimiter limiter =
                        limiter(daemon.address(), second.address()).build()) {
            daemon.status = status;

            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.NO_LIMIT);
            assertThat(second.asked("/v1/decide")).hasSize(1);
        }
    }

    @Test
    void aDaemonThatIsAwayIsNotWaitedForAndIsAskedAgainOnceItIsBack() throws Exception {
        int port = daemon.port();
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.delay = Duration.ofSeconds(2);
            for (int i = 0; i < 5; i++) {
                limiter.decide(Requests.get("/"));
            }
            int asked = daemon.asked("/v1/decide").size();

            long start = System.nanoTime();
            for (int i = 0; i < 1_000; i++) {
                assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(500));
            assertThat(daemon.asked("/v1/decide")).hasSize(asked);

            daemon.close();
            daemon = new StubDaemon(port);
            await().atMost(10, TimeUnit.SECONDS)
                    .until(() -> limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT);
        }
    }

    @Test
    void aPauseOfTheDaemonCostsNothingBeyondItsEnd() {
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.delay = DEADLINE.plusMillis(50);
            List<CompletableFuture<Decision>> decisions = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                decisions.add(limiter.decideAsync(Requests.get("/")).toCompletableFuture());
            }
            assertThat(decisions)
                    .allSatisfy(decision -> assertThat(decision.join().reason()).isEqualTo(Reason.FAILURE));
            daemon.delay = Duration.ZERO;

            await().pollInterval(Duration.ofMillis(5))
                    .until(() -> limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT);
            assertThat(daemon.timesAskedWhetherItIsThere()).isEqualTo(2);
        }
    }

    @Test
    void aDaemonThatIsNotThereAtTheStartIsNotWaitedForEither() throws Exception {
        int port = freePort();
        try (RemoteRateLimiter limiter = limiter("http://127.0.0.1:" + port).build()) {
            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);

            try (StubDaemon late = new StubDaemon(port)) {
                await().atMost(10, TimeUnit.SECONDS)
                        .until(() -> limiter.decide(Requests.get("/")).reason() == Reason.NO_LIMIT);
                assertThat(late.timesAskedWhetherItIsThere()).isEqualTo(2);
            }
        }
    }

    @Test
    void aRequestThatTheDaemonDoesNotUnderstandSaysNothingAboutOthers() {
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.status = 400;
            for (int i = 0; i < 20; i++) {
                assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.FAILURE);
            }
            daemon.status = 200;

            assertThat(limiter.decide(Requests.get("/")).reason()).isEqualTo(Reason.NO_LIMIT);
        }
    }

    @Test
    void whatIsMoreThanMayBeUnderWayPassesAtOnce() {
        try (RemoteRateLimiter limiter = limiter().mostCalls(2).build()) {
            daemon.delay = Duration.ofMillis(200);
            List<CompletableFuture<Decision>> decisions = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                decisions.add(limiter.decideAsync(Requests.get("/")).toCompletableFuture());
            }

            assertThat(decisions).extracting(CompletableFuture::isDone).containsExactly(false, false, true, true, true);
            assertThat(decisions)
                    .extracting(decision -> decision.join().reason())
                    .containsExactly(Reason.NO_LIMIT, Reason.NO_LIMIT, Reason.FAILURE, Reason.FAILURE, Reason.FAILURE);
        }
    }

    @Test
    void settlesWhatMustBeSettledOnce() throws Exception {
        daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"mustBeSettled\":true,\"receipt\":\"r1\"}";
        try (RemoteRateLimiter limiter = limiter().build()) {
            RemoteDecision decision = limiter.decide(Requests.get("/"));

            assertThat(decision.mustBeSettled()).isTrue();
            assertThat(decision.settlement().complete(401, 2)).isTrue();
            assertThat(decision.settlement().refund()).isFalse();
            await().untilAsserted(() -> assertThat(daemon.asked("/v1/settle"))
                    .extracting(Asked::body)
                    .containsExactly("{\"settlements\":[{\"receipt\":\"r1\",\"outcome\":\"complete\",\"status\":401,"
                            + "\"cost\":2}]}"));
        }
    }

    @Test
    void asksForReceiptsOnlyWhereTheyAreWanted() {
        try (RemoteRateLimiter limiter = limiter().build();
                RemoteRateLimiter settling = limiter().settles(true).build()) {
            limiter.decide(Requests.get("/"));
            settling.decide(Requests.get("/"));
        }

        assertThat(daemon.asked("/v1/decide"))
                .extracting(asked -> asked.body().contains("\"settle\":true"))
                .containsExactly(false, true);
    }

    @Test
    void settlesManyAtATimeAndAgainWhereTheDaemonDoesNotTakeThem() throws Exception {
        daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"receipt\":\"r\"}";
        daemon.settleStatus = 503;
        try (RemoteRateLimiter limiter = limiter().settles(true).build()) {
            for (int i = 0; i < 150; i++) {
                limiter.decide(Requests.get("/")).settlement().confirm();
            }
            await().until(() -> !daemon.asked("/v1/settle").isEmpty());
            daemon.settleStatus = 200;
        }

        assertThat(daemon.settled).hasValue(150);
        assertThat(daemon.asked("/v1/settle"))
                .hasSizeLessThan(10)
                .allSatisfy(asked ->
                        assertThat(StubDaemon.settlements(asked.body())).isBetween(1, 100));
    }

    @Test
    void aStatusOrACostThatIsNoneIsToldAsTheEngineTakesIt() {
        daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"receipt\":\"r1\"}";
        try (RemoteRateLimiter limiter = limiter().settles(true).build()) {
            limiter.decide(Requests.get("/")).settlement().complete(0);
            limiter.decide(Requests.get("/")).settlement().complete(700, 3);
            limiter.decide(Requests.get("/")).settlement().confirm(-2);
        }

        assertThat(daemon.asked("/v1/settle").stream().map(Asked::body).reduce("", String::concat))
                .contains("\"complete\",\"status\":100}")
                .contains("\"complete\",\"status\":100,\"cost\":3}")
                .contains("\"confirm\",\"cost\":0}");
    }

    @Test
    void whatTheDaemonDoesNotUnderstandIsDroppedWithoutTheRest() {
        daemon.misunderstood = "r2";
        try (RemoteRateLimiter limiter = limiter().settles(true).build()) {
            List<RemoteDecision> decisions = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"receipt\":\"r" + i + "\"}";
                decisions.add(limiter.decide(Requests.get("/")));
            }
            decisions.forEach(decision -> decision.settlement().confirm());

            await().atMost(5, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(daemon.settled).hasValue(4));
            decisions.get(0).settlement().confirm();
            limiter.decide(Requests.get("/")).settlement().refund();
            await().atMost(5, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(daemon.settled).hasValue(5));
        }
    }

    @Test
    void closingTakesASecondForAllDaemonsAndTellsThemNothingAfterwards() throws Exception {
        daemon.settleStatus = 503;
        daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"receipt\":\"r1\"}";
        try (StubDaemon second = new StubDaemon()) {
            second.settleStatus = 503;
            second.decision = daemon.decision;
            RemoteRateLimiter limiter =
                    limiter(daemon.address(), second.address()).settles(true).build();
            limiter.decide(Requests.get("/")).settlement().confirm();
            daemon.status = 503;
            limiter.decide(Requests.get("/")).settlement().confirm();
            await().until(() -> !second.asked("/v1/settle").isEmpty());

            long start = System.nanoTime();
            limiter.close();

            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofMillis(1_700));
            int told = daemon.asked("/v1/settle").size();
            await().during(Duration.ofMillis(1_200))
                    .until(() -> daemon.asked("/v1/settle").size() <= told + 1);
        }
    }

    /** A way to a daemon that is only closed. */
    private record Closing(Runnable closing) implements Transport {

        @Override
        public CompletableFuture<Reply> send(
                String method, String path, Map<String, String> headers, String body, Duration patience) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    @Test
    void whatCannotBeClosedDoesNotKeepTheRestOpen() {
        List<String> closed = new ArrayList<>();
        Transport failing = new Closing(() -> {
            throw new IllegalStateException("on purpose");
        });
        Fallback fallback = new Fallback() {
            @Override
            public RemoteDecision decide(SentRequest request, boolean look) {
                return PassedDecision.INSTANCE;
            }

            @Override
            public void close() {
                closed.add("fallback");
            }
        };
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onClose() {
                closed.add("listener");
            }
        };
        List<Daemon> daemons = List.of(
                new Daemon("http://a", failing, () -> null, DEADLINE),
                new Daemon("http://b", new Closing(() -> closed.add("second")), () -> null, DEADLINE));

        new RemoteRateLimiter(daemons, DEADLINE, SentFields.NONE, false, 1, fallback, listener).close();

        assertThat(closed).containsExactly("second", "fallback", "listener");
    }

    @Test
    void aRequestThatIsDecidedIsHeldNoLonger() {
        daemon.delay = Duration.ofMillis(50);
        try (RemoteRateLimiter limiter =
                limiter().deadline(Duration.ofSeconds(60)).attributes("held").build()) {
            WeakReference<Object> held = askFor(limiter);

            await().atMost(10, TimeUnit.SECONDS).until(() -> {
                System.gc();
                return held.get() == null;
            });
        }
    }

    /** In a method of its own, whose variables are gone at its end. */
    private static WeakReference<Object> askFor(RemoteRateLimiter limiter) {
        Object held = new Object();
        SentRequest request = new SentRequest(
                "GET",
                "/",
                null,
                RequestContext.NO_COST,
                null,
                null,
                Map.of(),
                Map.of(),
                Map.of("held", held),
                Map.of());
        limiter.decideAsync(request).toCompletableFuture().join();
        return new WeakReference<>(held);
    }

    @ParameterizedTest
    @CsvSource({
        "api/orders,/api/orders,192.0.2.7:8080,192.0.2.7",
        "'',/,[2001:db8::1]:443,2001:db8:0:0:0:0:0:1",
        "/a,/a,fe80::1%eth0,fe80:0:0:0:0:0:0:1",
        "/a,/a,[fe80::1%eth0],fe80:0:0:0:0:0:0:1",
        "/a,/a,::ffff:192.0.2.7,192.0.2.7",
        "/a,/a,' 192.0.2.7 ',192.0.2.7",
        "/a,/a,localhost,",
        "/a,/a,cafe,",
        "/a,/a,192.0.2.256,",
        "/a,/a,[192.0.2.7],",
        "/a,/a,1:2,",
        "/a,/a,'',",
    })
    void aRequestIsSpeltAsDaemonsTakeIt(String path, String sentPath, String peer, String sentPeer) {
        SentRequest sent = SentFields.NONE.of(new SentRequest(
                "GET", path, null, RequestContext.NO_COST, peer, null, Map.of(), Map.of(), Map.of(), Map.of()));

        assertThat(sent.path()).isEqualTo(sentPath);
        assertThat(sent.peerAddress()).isEqualTo(sentPeer);
    }

    @Test
    void aRequestThatTheDaemonDoesNotUnderstandIsInTheLogWhateverElseIs() {
        List<String> log = new CopyOnWriteArrayList<>();
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                log.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(RemoteRateLimiter.class.getName());
        logger.addHandler(handler);
        try (RemoteRateLimiter limiter = limiter()
                .listener(new RateLimitListener() {
                    @Override
                    public void onDecision(RequestContext context, Decision decision) {
                        throw new IllegalStateException("on purpose");
                    }
                })
                .build()) {
            limiter.decide(Requests.get("/"));
            daemon.status = 400;
            limiter.decide(Requests.get("/"));
            limiter.decide(Requests.get("/"));
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(log)
                .containsExactly("A listener has failed", "A daemon does not understand a request, which passes");
    }

    @Test
    void closingTellsTheDaemonWhatIsLeftToBeSettled() {
        daemon.decision = "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"receipt\":\"r1\"}";
        RemoteRateLimiter limiter = limiter().settles(true).build();
        limiter.decide(Requests.get("/")).settlement().refund();
        limiter.close();

        assertThat(daemon.asked("/v1/settle")).singleElement().satisfies(asked -> {
            assertThat(asked.body()).isEqualTo("{\"settlements\":[{\"receipt\":\"r1\",\"outcome\":\"refund\"}]}");
        });
    }

    @Test
    void whatWasDecidedTooLateIsGivenBack() {
        try (RemoteRateLimiter limiter = limiter().build()) {
            daemon.decision =
                    "{\"allowed\":true,\"reason\":\"WITHIN_LIMITS\",\"mustBeSettled\":true,\"receipt\":\"r1\"}";
            daemon.delay = Duration.ofMillis(500);

            assertThat(limiter.decide(Requests.get("/")).mustBeSettled()).isFalse();
            daemon.delay = Duration.ZERO;
            await().untilAsserted(() -> assertThat(daemon.asked("/v1/settle"))
                    .singleElement()
                    .satisfies(asked -> assertThat(asked.body()).contains("\"refund\"")));
        }
    }

    @Test
    void tellsItsListenerOfDecisionsAndFailures() {
        List<String> heard = new CopyOnWriteArrayList<>();
        RateLimitListener listener = new RateLimitListener() {
            @Override
            public void onDecision(RequestContext context, Decision decision) {
                heard.add(context.path() + " " + decision.reason());
                throw new IllegalStateException("on purpose");
            }

            @Override
            public void onFailure(String kind, Throwable cause) {
                heard.add(kind);
            }
        };
        try (RemoteRateLimiter limiter = limiter().listener(listener).build()) {
            limiter.decide(Requests.get("/a"));
            daemon.delay = Duration.ofMillis(400);
            limiter.decideAsync(Requests.get("/b")).toCompletableFuture().join();
            daemon.delay = Duration.ZERO;
            daemon.status = 500;
            limiter.decide(Requests.get("/c"));
        }

        assertThat(heard)
                .containsExactlyInAnyOrder("/a NO_LIMIT", "store-timeout", "/b FAILURE", "store-error", "/c FAILURE");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost:8601", "ftp://a:1", "http://", "http://a:1?x=1", "unix:run/x", "http://a b"})
    void anAddressThatIsNoneIsRefusedWithWhatWouldBeRight(String address) {
        assertThatThrownBy(() -> RemoteRateLimiter.of(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("http://127.0.0.1:8601");
    }

    @Test
    void credentialsInAnAddressAreRefusedAndNotShown() {
        assertThatThrownBy(() -> RemoteRateLimiter.of("http://me:secret@127.0.0.1:8601"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("token")
                .message()
                .doesNotContain("secret");
    }

    @Test
    void settingsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> limiter().deadline(Duration.ZERO).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("deadline");
        assertThatThrownBy(() -> limiter().mostCalls(0).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("mostCalls");
        assertThatThrownBy(RemoteRateLimiter::of).isInstanceOf(IllegalArgumentException.class);
    }
}
