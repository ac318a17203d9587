package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.CostResolver;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.servlet.RawClient.Answer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterRegistration;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the filter promises in every container. */
abstract class FilterContract extends InContainer {

    private static final String BY_HEADER = "clients: [\"header:X-Client\", ip]\nrules:\n  - ";
    private static final String IN_FLIGHT =
            "{ name: busy, sharing: host, limits: { tokens: 1, algorithm: concurrency } }";
    private static final String BY_IP = "clients: [ip]\nrules:\n  - ";
    private static final String FORM = "application/x-www-form-urlencoded";
    private static final String[] EVERY_DISPATCH = {"REQUEST", "FORWARD", "INCLUDE", "ASYNC", "ERROR"};

    private RawClient client;

    @BeforeEach
    void prepare() {
        OrdersServlet.SERVED.set(0);
    }

    private void start() throws Exception {
        client = new RawClient(container.start(application));
    }

    private void startLimited(String rules, String... params) throws Exception {
        String[] all = Arrays.copyOf(params, params.length + 2);
        all[params.length] = "rules";
        all[params.length + 1] = application.rules(rules);
        application.filter("limit", all).mapFilter("limit", "/*").servlet(OrdersServlet.class, "/");
        start();
    }

    private int passed(int requests, String target, String... headers) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            if (client.get(target, headers).status() != 429) {
                passed++;
            }
        }
        return passed;
    }

    // Once for each request of a client

    @ParameterizedTest
    @CsvSource({
        "/plain, 200, session false",
        "/forward, 200, session false",
        "/include, 200, part;part;part;",
        "/async, 200, session false",
        "/timeout, 500, error page",
        "/missing, 404, error page",
        "/throws, 500, error page"
    })
    void aRequestIsChargedOnceHoweverItIsDispatched(String target, int status, String body) throws Exception {
        String rules = application.rules(BY_HEADER + "{ name: everyone, limits: [2/h] }");
        application
                .filter("limit", "rules", rules)
                .mapFilter("limit", "/*", EVERY_DISPATCH)
                .mapFilter("limit", target, EVERY_DISPATCH)
                .servlet(OrdersServlet.class, "/")
                .errorPage(404, "/error")
                .errorPage(500, "/error");
        start();
        for (int i = 0; i < 2; i++) {
            Answer answer = client.get(target, "X-Client: " + target);
            assertThat(answer.status()).isEqualTo(status);
            assertThat(answer.text()).isEqualTo(body);
            if (!target.equals("/throws") || container.keepsFieldsOfFailures()) {
                assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(1 - i));
            }
        }
        Answer refused = client.get(target, "X-Client: " + target);
        assertThat(refused.status()).isEqualTo(429);
        assertThat(OrdersServlet.SERVED).hasValue(2);
    }

    // How the request went

    @ParameterizedTest
    @CsvSource({"/missing, 404", "/throws, 500", "/timeout, 500"})
    void aChargeByTheResponseStandsForTheStatusesThatItNames(String target, int status) throws Exception {
        startLimited(BY_HEADER + "{ name: failures, limits: [2/h], charge: { when: response, status: [404, 5xx] } }");
        for (int i = 0; i < 2; i++) {
            assertThat(client.get(target, "X-Client: a").status()).isEqualTo(status);
        }
        assertThat(client.get(target, "X-Client: a").status()).isEqualTo(429);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain", "/async", "/forward"})
    void aChargeByTheResponseIsGivenBackForOthers(String target) throws Exception {
        startLimited(BY_HEADER + "{ name: failures, limits: [2/h], charge: { when: response, status: 401 } }");
        for (int i = 0; i < 3; i++) {
            untilPassed(target);
        }
        assertThat(OrdersServlet.SERVED).hasValue(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", charge: { when: response, status: 401 }"})
    void theApplicationMaySayWhatARequestReallyCost(String charge) throws Exception {
        startLimited(BY_HEADER + "{ name: tokens, limits: [10/h]" + charge + " }");
        client.get("/costly", "X-Client: a");
        assertThat(client.get("/refunded", "X-Client: a").header("X-RateLimit-Remaining"))
                .isEqualTo("4");
        assertThat(client.get("/plain", "X-Client: a").header("X-RateLimit-Remaining"))
                .isEqualTo("4");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/plain", "/async", "/forward", "/include", "/missing", "/throws", "/timeout", "/early"})
    void aRequestThatIsOverIsNoLongerCountedAsUnderWay(String target) throws Exception {
        startLimited(BY_HEADER + IN_FLIGHT);
        for (int i = 0; i < 2; i++) {
            untilPassed(target);
        }
        assertThat(OrdersServlet.SERVED).hasValue(2);
    }

    @Test
    void aRequestThatIsUnderWayKeepsOthersOutWithoutAPromiseOfWhen() throws Exception {
        startLimited(BY_HEADER + IN_FLIGHT);
        CompletableFuture<Answer> held = CompletableFuture.supplyAsync(() -> client.get("/held", "X-Client: a"));
        await().until(() -> OrdersServlet.SERVED.get() == 1);
        Answer refused = client.get("/plain", "X-Client: a");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Retry-After")).isNull();
        assertThat(client.get("/plain", "X-Client: b").status()).isEqualTo(200);
        OrdersServlet.HELD.release();
        assertThat(held.join().text()).isEqualTo("held");
        untilPassed("/plain");
    }

    @Test
    void aShadowRuleRefusesNobodyAndTellsClientsNothing() throws Exception {
        startLimited(BY_HEADER + "{ name: trial, limits: [1/h], onExceeded: shadow }");
        for (int i = 0; i < 3; i++) {
            Answer answer = client.get("/plain", "X-Client: a");
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("RateLimit")).isNull();
        }
    }

    /** What ends asynchronously may be settled an instant after its client has the answer. */
    private void untilPassed(String target) {
        await().until(() -> client.get(target, "X-Client: a").status() != 429);
    }

    @Test
    void twoFiltersWithRulesOfTheirOwnChargeOnceEach() throws Exception {
        String rules = application.rules(BY_IP + "{ name: everyone, limits: [10/h] }");
        application
                .filter("one", "rules", rules)
                .filter("two", "rules", rules)
                .mapFilter("one", "/*", EVERY_DISPATCH)
                .mapFilter("two", "/*", EVERY_DISPATCH)
                .servlet(OrdersServlet.class, "/");
        start();
        assertThat(passed(11, "/forward")).isEqualTo(10);
    }

    @Test
    void aWrappedRequestIsChargedOnce() throws Exception {
        String rules = application.rules("clients: [user]\nrules:\n  - { name: everyone, limits: [10/h] }");
        application
                .filter("limit", "rules", rules)
                .with("<filter><filter-name>login</filter-name><filter-class>" + LogInFilter.class.getName()
                        + "</filter-class></filter>")
                .mapFilter("login", "/*", "REQUEST", "FORWARD")
                .mapFilter("limit", "/*", EVERY_DISPATCH)
                .servlet(OrdersServlet.class, "/");
        start();
        assertThat(passed(11, "/forward", "X-Test-User: alice")).isEqualTo(10);
        assertThat(passed(1, "/forward", "X-Test-User: bob")).isEqualTo(1);
    }

    @Test
    void aFilterThatIsOnlyMappedForForwardsLimitsThePathThatTheClientAskedFor() throws Exception {
        String rules = application.rules(BY_IP + "{ name: f, match: { path: /forward }, limits: [2/h] }");
        application
                .filter("limit", "rules", rules)
                .mapFilter("limit", "/*", "FORWARD")
                .servlet(OrdersServlet.class, "/");
        start();
        assertThat(passed(3, "/forward")).isEqualTo(2);
    }

    @Test
    void anErrorPageIsNotChargedForARequestThatNeverCameHere() throws Exception {
        String rules = application.rules(BY_IP + "{ name: everyone, limits: \"0\" }");
        application
                .filter("limit", "rules", rules)
                .mapFilter("limit", "/*", "ERROR")
                .servlet(OrdersServlet.class, "/")
                .errorPage(404, "/error");
        start();
        assertThat(client.get("/missing").text()).isEqualTo("error page");
    }

    // Which path

    @Test
    void everySpellingThatReachesTheApplicationMeetsTheSameLimit() throws Exception {
        startLimited(BY_IP + "{ name: login, match: { path: /login, methods: [POST] }, limits: [5/h] }");
        List<String> spellings = List.of(
                "/login",
                "/login/",
                "//login",
                "/./login",
                "/x/../login",
                "/login?x=1",
                "/login?",
                "/login;a=b",
                "/%6cogin",
                "/lo%67in",
                "/x/%2e%2e/login",
                "/%2e/login",
                "/login/.",
                "/;a/login",
                "///login//");
        for (int round = 0; round < 4; round++) {
            for (String spelling : spellings) {
                client.send("POST", spelling, new byte[0], "Content-Length: 0");
            }
        }
        assertThat(OrdersServlet.SERVED).hasValue(5);
    }

    @ParameterizedTest
    @CsvSource({
        "/api/items/..%3Bx/..%3By",
        "/api/..%3Bx/..%3By/free",
        "/api/login%3Bx",
        "/api/free%3Bx",
        "/api/x/../free%3Bx",
        "/api/%2e%2e%3B/free"
    })
    void anEncodedSemicolonIsTextAndLeadsOutOfNoRule(String target) throws Exception {
        String exempt = "exempt: [{ path: /free }, { path: /api/free }, { path: /api/login }]\n";
        startLimited(exempt + BY_IP + "{ name: api, match: { path: /api/** }, limits: [2/h] }");
        passed(5, target);
        assertThat(OrdersServlet.SERVED.get()).isLessThanOrEqualTo(2);
        assertThat(passed(3, "/api/orders")).isLessThanOrEqualTo(2);
    }

    @Test
    void aSpellingWithAnEncodedSemicolonIsAnotherPath() throws Exception {
        startLimited(BY_IP + "{ name: login, match: { path: /login }, limits: [2/h] }");
        assertThat(passed(3, "/login%3Bx")).isEqualTo(3);
        assertThat(passed(3, "/login")).isEqualTo(2);
    }

    @ParameterizedTest
    @CsvSource({"'', /", "'', /*", "'', /api/*", "/shop, /", "/shop, /*", "/shop, /api/*", "/shop, /api/v1/orders"})
    void theRulesDoNotKnowWhereTheApplicationIsDeployed(String contextPath, String mapping) throws Exception {
        String rules = application.rules(BY_IP + "{ name: orders, match: { path: /api/v1/orders }, limits: [3/h] }");
        application
                .at(contextPath)
                .filter("limit", "rules", rules)
                .mapFilter("limit", "/*")
                .servlet(OrdersServlet.class, mapping);
        start();
        assertThat(passed(4, contextPath + "/api/v1/orders")).isEqualTo(3);
        assertThat(client.get(contextPath + "/").status()).isLessThan(500).isNotEqualTo(429);
        assertThat(client.get(contextPath.isEmpty() ? "/" : contextPath).status())
                .isLessThan(500);
    }

    // Which method

    @Test
    void headCountsAsGetAndIsRefusedWithoutABody() throws Exception {
        startLimited(BY_IP + "{ name: reports, match: { path: /reports, methods: [GET] }, limits: [5/h] }");
        for (String method : List.of("HEAD", "GET", "HEAD", "GET", "HEAD")) {
            assertThat(client.send(method, "/reports", new byte[0]).status()).isEqualTo(200);
        }
        Answer get = client.get("/reports");
        Answer head = client.send("HEAD", "/reports", new byte[0]);
        assertThat(get.status()).isEqualTo(429);
        assertThat(head.status()).isEqualTo(429);
        assertThat(head.body()).isEmpty();
        assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
        for (String name : List.of("RateLimit-Policy", "RateLimit", "X-RateLimit-Limit", "Retry-After")) {
            assertThat(head.header(name)).as(name).isNotNull().isEqualTo(get.header(name));
        }
    }

    @Test
    void aMethodInLowerCaseIsAnotherMethodAndStillCounted() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [5/h] }");
        for (int i = 0; i < 10; i++) {
            client.send("get", "/reports", new byte[0]);
        }
        assertThat(OrdersServlet.SERVED.get()).isLessThanOrEqualTo(5);
    }

    @Test
    void aMethodThatAHeaderOverridesIsCountedAsItWasSent() throws Exception {
        startLimited(BY_IP + "{ name: deletes, match: { methods: [DELETE] }, limits: [1/h] }");
        for (int i = 0; i < 3; i++) {
            Answer answer = client.send("POST", "/plain", new byte[0], "X-HTTP-Method-Override: DELETE");
            assertThat(answer.status()).isEqualTo(200);
        }
        assertThat(client.send("DELETE", "/plain", new byte[0]).status()).isEqualTo(200);
        assertThat(client.send("DELETE", "/plain", new byte[0], "X-HTTP-Method-Override: POST")
                        .status())
                .isEqualTo(429);
    }

    @Test
    void aPreflightIsFree() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [1/h] }");
        for (int i = 0; i < 3; i++) {
            Answer preflight = client.send(
                    "OPTIONS",
                    "/plain",
                    new byte[0],
                    "Origin: https://a.example",
                    "Access-Control-Request-Method: PUT");
            assertThat(preflight.status()).isEqualTo(200);
            assertThat(preflight.header("RateLimit")).isNull();
        }
        assertThat(client.send("OPTIONS", "/plain", new byte[0]).status()).isEqualTo(200);
        assertThat(client.send("OPTIONS", "/plain", new byte[0]).status()).isEqualTo(429);
    }

    // Which client

    @Test
    void aForwardedAddressCountsOnlyFromATrustedProxyAndFromTheRight() throws Exception {
        startLimited("trustedProxies: [127.0.0.1]\n" + BY_IP + "{ name: all, limits: [5/h] }");
        int passed = 0;
        for (int i = 0; i < 20; i++) {
            passed += passed(1, "/plain", "X-Forwarded-For: 198.51.100." + i, "X-Forwarded-For: 203.0.113.50");
        }
        assertThat(passed).isEqualTo(5);
        assertThat(passed(1, "/plain", "X-Forwarded-For: 203.0.113.51, 127.0.0.1"))
                .isEqualTo(1);
    }

    @Test
    void aForwardedAddressThatCannotBeReadCountsForThePeerThatSentIt() throws Exception {
        startLimited("trustedProxies: [127.0.0.1]\n" + BY_IP + "{ name: all, limits: [2/h] }");
        int passed = 0;
        for (String value : List.of("", "unknown", "not-an-ip", "127.0.0.1, 127.0.0.1", "198.51.100.7, unknown")) {
            passed += passed(1, "/plain", "X-Forwarded-For: " + value);
        }
        assertThat(passed).isEqualTo(2);
    }

    @Test
    void aForwardedAddressFromAnybodyElseIsIgnored() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [5/h] }");
        int passed = 0;
        for (int i = 0; i < 20; i++) {
            passed += passed(1, "/plain", "X-Forwarded-For: 198.51.100." + i, "Forwarded: for=198.51.100." + i);
        }
        assertThat(passed).isEqualTo(5);
    }

    @Test
    void aClientWithoutTheIdentityIsNotThrownTogetherWithOthers() throws Exception {
        startLimited("clients: [ip]\nrules:\n  - { name: key, key: [\"header:X-Api-Key\"], limits: [2/h] }");
        assertThat(passed(5, "/plain")).isEqualTo(5);
        assertThat(passed(5, "/plain", "X-Api-Key: ")).isEqualTo(5);
        assertThat(passed(5, "/plain", "X-Api-Key: null")).isEqualTo(2);
    }

    @Test
    void whoInventsAKeyEachTimeIsHeldByARuleForTheAddressAlone() throws Exception {
        startLimited("rules:\n  - { name: key, key: [\"header:X-Api-Key\"], limits: [1/h] }\n"
                + "  - { name: address, match: { path: /api/** }, key: ip, limits: [3/h] }");
        int passed = 0;
        int passedBesideAddress = 0;
        for (int i = 0; i < 6; i++) {
            passed += passed(1, "/plain", "X-Api-Key: invented-" + i);
            passedBesideAddress += passed(1, "/api/plain", "X-Api-Key: made-up-" + i);
        }
        assertThat(passed).isEqualTo(6);
        assertThat(passedBesideAddress).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_", ":", "|", "/", ",", ""})
    void pairsThatSpellTheSameTextAreDifferentClients(String separator) throws Exception {
        startLimited("rules:\n  - { name: pair, key: [\"header:X-Login\", \"header:X-Key\"], limits: [2/h] }");
        assertThat(passed(3, "/plain", "X-Login: a", "X-Key: b" + separator + "c"))
                .isEqualTo(2);
        assertThat(passed(3, "/plain", "X-Login: a" + separator + "b", "X-Key: c"))
                .isEqualTo(2);
    }

    @Test
    void aBearerCredentialIsOneClientHoweverItsSchemeIsSpelt() throws Exception {
        startLimited("rules:\n  - { name: key, key: bearer, limits: [2/h] }");
        int passed = 0;
        for (String credential : List.of("Bearer K", "bearer K", "BEARER  K")) {
            passed += passed(1, "/plain", "Authorization: " + credential);
        }
        assertThat(passed).isEqualTo(2);
        assertThat(passed(3, "/plain", "Authorization: x Bearer K")).isEqualTo(3);
        assertThat(passed(3, "/plain", "Authorization: Bearer k")).isEqualTo(2);
    }

    @Test
    void usersWithOddNamesAreClientsLikeAnyOtherAndNobodyIsAUser() throws Exception {
        String rules = application.rules(
                "trustedProxies: [127.0.0.1]\nclients: [user, ip]\n" + "rules:\n  - { name: everyone, limits: [2/h] }");
        application.servlet(OrdersServlet.class, "/").onStart(context -> {
            register(context, "login", new LogInFilter());
            register(context, "limit", RateLimitFilter.builder().rules(rules).build());
        });
        start();
        for (String address : List.of("203.0.113.1", "203.0.113.2")) {
            assertThat(passed(3, "/plain", "X-Forwarded-For: " + address)).isEqualTo(2);
        }
        for (String name : List.of("null", "anonymous", "unknown", "-1", "203.0.113.1")) {
            assertThat(passed(3, "/plain", "X-Test-User: " + name)).as(name).isEqualTo(2);
        }
    }

    @Test
    void aCookieTellsClientsApart() throws Exception {
        startLimited("clients: [\"cookie:client\"]\nrules:\n  - { name: all, limits: [2/h] }");
        assertThat(passed(3, "/plain", "Cookie: other=1; client=a")).isEqualTo(2);
        assertThat(passed(3, "/plain", "Cookie: client=b")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"$Version=x", "$Version=1; client", "client=\"", "=;;client=\u0001"})
    void cookiesThatCannotBeReadLiftNoOtherRule(String cookie) throws Exception {
        startLimited("clients: [\"cookie:client\", ip]\nrules:\n  - { name: all, limits: [50/h] }\n"
                + "  - { name: address, key: ip, limits: [2/h] }");
        passed(4, "/plain", "Cookie: " + cookie);
        assertThat(OrdersServlet.SERVED.get()).isLessThanOrEqualTo(2);
    }

    // What the client is told

    @Test
    void theFieldsStandInAnAnswerThatTheApplicationSendsEarly() throws Exception {
        startLimited(BY_IP + "{ name: everyone, limits: [20/s burst 40, 500/h] }");
        Answer answer = client.get("/early");
        assertThat(answer.text()).isEqualTo("early");
        assertThat(answer.header("RateLimit-Policy"))
                .isEqualTo("\"everyone:1s\";q=40;w=2, \"everyone:1h\";q=500;w=3600");
        assertThat(answer.header("RateLimit")).isEqualTo("\"everyone:1s\";r=39;t=1, \"everyone:1h\";r=499;t=8");
        assertThat(answer.header("X-RateLimit-Limit")).isEqualTo("40");
        assertThat(answer.header("Cache-Control")).isNull();
    }

    @Test
    void anUnlimitedAnswerCarriesNoFields() throws Exception {
        startLimited(BY_IP + "{ name: login, match: { path: /login }, limits: [1/h] }");
        assertThat(client.get("/plain").headers()).doesNotContainKeys("RateLimit", "X-RateLimit-Limit");
    }

    @Test
    void theHeaderFamiliesAreSettings() throws Exception {
        startLimited(BY_IP + "{ name: a, limits: [5/m] }", "headers", "x-ratelimit", "resetFormat", "delta-seconds");
        Answer answer = client.get("/plain");
        assertThat(answer.header("RateLimit")).isNull();
        assertThat(answer.header("X-RateLimit-Reset")).isEqualTo("12");
    }

    /** Starts with a clock that the test moves. */
    private ManualTimeSource startByManualClock(String rules) throws Exception {
        ManualTimeSource time = new ManualTimeSource();
        String file = application.rules(rules);
        application
                .servlet(OrdersServlet.class, "/")
                .onStart(context -> register(
                        context,
                        "limit",
                        RateLimitFilter.builder().rules(file).timeSource(time).build()));
        start();
        return time;
    }

    @Test
    void whoComesBackAfterExactlyTheAdvertisedWaitPasses() throws Exception {
        ManualTimeSource time = startByManualClock(BY_IP + "{ name: a, limits: [1 per 10s] }");
        assertThat(client.get("/plain").status()).isEqualTo(200);
        time.advance(Duration.ofMillis(8_100));
        for (int round = 0; round < 100; round++) {
            Answer refused = client.get("/plain");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo(round == 0 ? "2" : "10");
            time.advance(Duration.ofSeconds(Long.parseLong(refused.header("Retry-After"))));
            assertThat(client.get("/plain").status()).isEqualTo(200);
        }
    }

    @Test
    void remainingRunsDownToZeroAndStaysAndNoWaitIsLessThanASecond() throws Exception {
        startByManualClock(BY_IP + "{ name: a, limits: [5/s] }");
        for (int i = 0; i < 8; i++) {
            Answer answer = client.get("/plain");
            assertThat(answer.status()).isEqualTo(i < 5 ? 200 : 429);
            assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo(Integer.toString(Math.max(0, 4 - i)));
            assertThat(answer.header("Retry-After")).isEqualTo(i < 5 ? null : "1");
        }
    }

    @Test
    void theFieldsTellOfTheTightestLimitAndOfTheOneThatRefused() throws Exception {
        ManualTimeSource time = startByManualClock(BY_IP + "{ name: a, limits: [60/m, 3/h] }");
        for (String remaining : List.of("2", "1", "0")) {
            assertThat(client.get("/plain").header("X-RateLimit-Remaining")).isEqualTo(remaining);
        }
        for (String wait : List.of("1200", "1135")) {
            Answer refused = client.get("/plain");
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("3");
            assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo("0");
            assertThat(refused.header("Retry-After")).isEqualTo(wait);
            time.advance(Duration.ofSeconds(65));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRefusalKeepsItsOwnBody(boolean errorPage) throws Exception {
        if (errorPage) {
            application.errorPage(429, "/error");
        }
        startLimited(BY_IP + "{ name: all, limits: [1/h] }");
        client.get("/plain");
        for (String accept : List.of("application/json", "text/html", "*/*")) {
            Answer refused = client.get("/plain", "Accept: " + accept);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Content-Type")).isEqualTo("application/problem+json");
            assertThat(refused.header("Cache-Control")).isEqualTo("no-store");
            assertThat(refused.header("Content-Length")).isEqualTo(Integer.toString(refused.body().length));
            assertThat(refused.text())
                    .startsWith("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\"")
                    .endsWith("\"violated-policies\":[\"all\"]}");
        }
        Answer text = client.get("/plain", "Accept: text/plain");
        assertThat(text.header("Content-Type")).isEqualToIgnoringCase("text/plain;charset=utf-8");
        assertThat(text.text()).startsWith("Limit 'all' (1 per 1h) is exceeded");
    }

    @ParameterizedTest
    @CsvSource({"false, application/problem+json;charset=UTF-8", "true, application/problem+json;charset=ISO-8859-1"})
    void aFilterThatSetAnEncodingOrTookTheWriterDoesNotSpoilTheBody(boolean takesWriter, String type) throws Exception {
        String rules = application.rules(BY_IP + "{ name: all, limits: \"0\" }");
        application
                .filter("limit", "rules", rules)
                .servlet(OrdersServlet.class, "/")
                .onStart(context -> {
                    register(context, "other", (request, response, chain) -> {
                        response.setCharacterEncoding("ISO-8859-1");
                        if (takesWriter) {
                            response.getWriter().write("left over");
                        }
                        chain.doFilter(request, response);
                    });
                    context.getFilterRegistration("limit")
                            .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
                });
        start();
        Answer refused = client.get("/plain");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.header("Content-Type").replace(" ", "")).isEqualToIgnoringCase(type);
        assertThat(refused.text()).startsWith("{\"type\":").endsWith("}");
        assertThat(refused.header("Content-Length")).isEqualTo(Integer.toString(refused.body().length));
    }

    @Test
    void aRefusalAfterAnotherFilterHasAnsweredAddsNothing() throws Exception {
        String rules = application.rules(BY_IP + "{ name: all, limits: \"0\" }");
        application
                .filter("limit", "rules", rules)
                .servlet(OrdersServlet.class, "/")
                .onStart(context -> {
                    register(context, "other", (request, response, chain) -> {
                        response.getWriter().write("answered");
                        response.flushBuffer();
                        chain.doFilter(request, response);
                    });
                    context.getFilterRegistration("limit")
                            .addMappingForUrlPatterns(EnumSet.of(DispatcherType.REQUEST), true, "/*");
                });
        start();
        Answer answer = client.get("/plain");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.text()).isEqualTo("answered");
        assertThat(OrdersServlet.SERVED).hasValue(0);
    }

    @Test
    void anOrdinaryClientReadsARefusal() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [1/h] }");
        HttpClient http = HttpClient.newHttpClient();
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + client.port() + "/plain"))
                .build();
        assertThat(http.send(request, HttpResponse.BodyHandlers.ofString()).statusCode())
                .isEqualTo(200);
        HttpResponse<String> refused = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("3600");
    }

    // HTTP/2

    @Test
    void theFieldsAndTheRefusalReachAClientThatSpeaksHttp2() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [1/h] }");
        HttpClient http = http2Client();
        HttpResponse<String> passed = askByHttp2(http, "/plain");
        assertThat(passed.statusCode()).isEqualTo(200);
        assertThat(passed.headers().firstValue("ratelimit-policy")).contains("\"all\";q=1;w=3600");
        HttpResponse<String> refused = askByHttp2(http, "/plain");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("retry-after")).contains("3600");
        assertThat(refused.headers().firstValue("content-type")).contains("application/problem+json");
        assertThat(refused.body()).endsWith("\"violated-policies\":[\"all\"]}");
        assertThat(refused.headers().map())
                .doesNotContainKeys("connection", "keep-alive", "transfer-encoding", "upgrade", "proxy-connection");
    }

    private static HttpClient http2Client() {
        return HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
    }

    private HttpResponse<String> askByHttp2(HttpClient http, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + client.port() + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        return response;
    }

    // Without an answer

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /drop HTTP/1.1\r\nHost: localhost\r\n\r\n",
                "GET /drop HTTP/1.0\r\n\r\n",
                "POST /drop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nthe first bytes"
            })
    void aDroppedRequestGetsNotOneByte(String request) throws Exception {
        startDropping();
        assertThat(client.exchange(request)).isEmpty();
        assertThat(client.get("/plain").status()).isEqualTo(200);
    }

    /** Tomcat tells the client to go on before any filter is asked. */
    @Test
    void aDroppedRequestThatWaitsForLeaveToSendItsBodyGetsNoStatus() throws Exception {
        startDropping();
        String received = client.exchange(
                "POST /drop HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n");
        assertThat(received).isIn("", "HTTP/1.1 100 \r\n\r\n");
    }

    @Test
    void onHttp2ADropEndsTheStreamAndLeavesTheConnection() throws Exception {
        startDropping();
        HttpClient http = http2Client();
        askByHttp2(http, "/plain");
        String port = askByHttp2(http, "/port").body();
        assertThatThrownBy(() -> askByHttp2(http, "/drop"))
                .isInstanceOf(IOException.class)
                .isNotInstanceOf(HttpTimeoutException.class);
        assertThat(askByHttp2(http, "/port").body()).isEqualTo(port);
    }

    private void startDropping() throws Exception {
        startLimited(BY_IP + "{ name: flood, match: { path: /drop }, limits: \"0\", onExceeded: drop }");
    }

    // What the application gets

    @ParameterizedTest
    @CsvSource({
        "form, application/x-www-form-urlencoded, login=alice, alice",
        "form, application/x-www-form-urlencoded;charset=ISO-8859-1, login=Andr%E9, André",
        "form, application/x-www-form-urlencoded;charset=UTF-8, login=Andr%C3%A9, André",
        "body, application/x-www-form-urlencoded, login=alice, 11",
        "plain, application/json, {}, session false"
    })
    void theFormTheBodyAndTheSessionAreLeftAlone(String target, String type, String body, String expected)
            throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [100/h] }");
        for (int i = 0; i < 5; i++) {
            Answer answer = client.post("/" + target, type, body.getBytes(StandardCharsets.US_ASCII));
            assertThat(answer.text()).isEqualTo(expected);
            assertThat(answer.header("X-RateLimit-Remaining")).isNotNull();
            assertThat(answer.header("Set-Cookie")).isNull();
        }
    }

    @Test
    void aCostMayComeFromTheQueryAndLeavesTheFormAlone() throws Exception {
        String services = "META-INF/services/" + CostResolver.class.getName();
        application.resource(services, PageSize.class.getName());
        startLimited(BY_IP + "{ name: all, limits: [100/h] }\ncosts: [{ path: /form, resolver: page-size }]");
        byte[] form = "login=alice&size=60".getBytes(StandardCharsets.US_ASCII);
        Answer answer = client.post("/form?size=%37", FORM, form);
        assertThat(answer.text()).isEqualTo("alice");
        assertThat(answer.header("X-RateLimit-Remaining")).isEqualTo("93");
    }

    @Test
    void aLargeBodyArrivesWhole() throws Exception {
        startLimited(BY_IP + "{ name: all, limits: [100/h] }");
        assertThat(client.post("/body", "application/json", new byte[100_000]).text())
                .isEqualTo("100000");
    }

    @Test
    void anEncodingThatTheApplicationSetsLaterWorksAsWithoutTheFilter() throws Exception {
        String rules = application.rules(BY_IP + "{ name: all, limits: [100/h] }");
        application
                .filter("limit", "rules", rules)
                .mapFilter("limit", "/limited/*")
                .servlet(OrdersServlet.class, "/");
        start();
        byte[] form = "login=Andr%E9".getBytes(StandardCharsets.US_ASCII);
        Answer free = client.post("/free/latin", FORM, form);
        Answer limited = client.post("/limited/latin", FORM, form);
        assertThat(limited.header("X-RateLimit-Remaining")).isEqualTo("99");
        assertThat(limited.status()).isEqualTo(free.status());
        assertThat(limited.status() == 200 ? limited.text() : "refused by the container")
                .isEqualTo(free.status() == 200 ? free.text() : "refused by the container");
    }

    @Test
    void costsComeFromTheRules() throws Exception {
        startLimited("""
                costs:
                  - { path: /reports, cost: 4 }
                  - { path: /export, cost: 11 }
                clients: [ip]
                rules:
                  - { name: all, limits: [10/h] }
                """);
        Answer export = client.get("/export");
        assertThat(export.status()).isEqualTo(429);
        assertThat(export.header("Retry-After")).isNull();
        assertThat(client.get("/plain").header("X-RateLimit-Remaining")).isEqualTo("9");
        assertThat(client.get("/reports").header("X-RateLimit-Remaining")).isEqualTo("5");
    }

    // Start and end

    @ParameterizedTest
    @CsvSource({
        "pollIntervall, 5s, 'unknown setting ''pollIntervall''; did you mean ''pollInterval''?'",
        "zzzzzzzzzzzz, 1, '(valid here: '",
        "pollInterval, soon, 'setting pollInterval is ''soon'''",
        "headers, all, 'setting headers is ''all'': it must be'"
    })
    void aWrongInitParamKeepsTheApplicationFromStarting(String name, String value, String message) {
        String rules = application.rules(BY_IP + "{ name: all, limits: [1/h] }");
        AtomicReference<Throwable> fault = new AtomicReference<>();
        RateLimitFilter filter = new RateLimitFilter();
        application
                .servlet(OrdersServlet.class, "/")
                .onStart(context -> register(context, "limit", new ObservedFilter(filter, fault))
                        .setInitParameters(Map.of("rules", rules, name, value)));
        assertThatThrownBy(() -> {
                    start();
                    assertThat(client.get("/plain").status()).isNotEqualTo(200);
                    throw new IllegalStateException("the application does not answer");
                })
                .isNotInstanceOf(AssertionError.class);
        assertThat(fault.get()).hasMessageContaining("Filter 'limit': ").hasMessageContaining(message);
    }

    @Test
    void theServletContextGivesSettingsThatTheFilterMayReplace() throws Exception {
        application.contextParam("ratelimit.headers", "ietf").contextParam("ratelimit.resetFormat", "delta-seconds");
        startLimited(BY_IP + "{ name: all, limits: [5/m] }", "headers", "x-ratelimit");
        Answer answer = client.get("/plain");
        assertThat(answer.header("RateLimit")).isNull();
        assertThat(answer.header("X-RateLimit-Reset")).isEqualTo("12");
    }

    @Test
    void theApplicationStartsWithoutRules() throws Exception {
        application
                .filter("limit", "rules", directory.resolve("missing.yaml").toString())
                .mapFilter("limit", "/*")
                .servlet(OrdersServlet.class, "/");
        start();
        assertThat(passed(5, "/plain")).isEqualTo(5);
    }

    @Test
    void theJarAndARulesFileOnTheClassPathAreEnough() throws Exception {
        application
                .resource("ratelimit.yaml", "service: test\nrules:\n  - { name: all, limits: [3/h] }\n")
                .servlet(OrdersServlet.class, "/");
        start();
        assertThat(passed(4, "/async")).isEqualTo(3);
    }

    @Test
    void withoutARulesFileNothingIsRegistered() throws Exception {
        AtomicReference<ServletContext> context = new AtomicReference<>();
        application.servlet(OrdersServlet.class, "/").onStart(context::set);
        start();
        assertThat(passed(5, "/plain")).isEqualTo(5);
        assertThat(context.get().getAttribute(HttpEngine.ATTRIBUTE)).isNull();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFilterThatTheApplicationDeclaresSwitchesTheOtherOff(boolean inWebXml) throws Exception {
        String rules = application.rules(BY_IP + "{ name: declared, limits: [5/h] }");
        application
                .resource("ratelimit.yaml", "service: test\nrules:\n  - { name: all, limits: [3/h] }\n")
                .servlet(OrdersServlet.class, "/");
        if (inWebXml) {
            application.filter("limit", "rules", rules).mapFilter("limit", "/*");
        } else {
            application.onStart(context -> register(
                    context, "limit", RateLimitFilter.builder().rules(rules).build()));
        }
        start();
        assertThat(client.get("/plain").header("RateLimit")).startsWith("\"declared\"");
        assertThat(passed(5, "/plain")).isEqualTo(4);
    }

    @Test
    void anEngineThatTheFilterMadeEndsWithIt() throws Exception {
        AtomicReference<ServletContext> context = new AtomicReference<>();
        application.onStart(context::set);
        startLimited(BY_IP + "{ name: all, limits: [1/h] }");
        HttpEngine http = (HttpEngine) context.get().getAttribute(HttpEngine.ATTRIBUTE);
        assertThat(http.engine().isReady()).isTrue();
        container.close();
        assertThat(http.engine().isReady()).isFalse();
    }

    @Test
    void applicationsSideBySideShareNoBuckets() throws Exception {
        WebApplication other = new WebApplication(directory.resolve("other"));
        String rule = BY_IP + "{ name: all, limits: [2/h] }";
        for (WebApplication each : List.of(application, other)) {
            each.filter("limit", "rules", each.rules(rule))
                    .mapFilter("limit", "/*")
                    .servlet(OrdersServlet.class, "/");
        }
        client = new RawClient(container.start(application.at("/one"), other.at("/other")));
        assertThat(passed(3, "/one/plain")).isEqualTo(2);
        assertThat(passed(3, "/other/plain")).isEqualTo(2);
    }

    @Test
    void anEngineThatTheApplicationOwnsOutlivesTheFilter() throws Exception {
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(application.rules(BY_IP + "{ name: all, limits: [1/h] }"))
                .build();
        try (engine) {
            engine.start();
            HttpAnswers answers = new HttpAnswers(HttpSettings.DEFAULT, engine.timeSource());
            application.servlet(OrdersServlet.class, "/").onStart(context -> {
                register(context, "one", new RateLimitFilter(engine, answers));
                register(context, "two", new RateLimitFilter(engine, answers));
            });
            start();
            assertThat(passed(2, "/plain")).isEqualTo(1);
            container.close();
            assertThat(engine.isReady()).isTrue();
        }
    }

    @Test
    void aListenerHearsThePathAsTheApplicationSeesIt() throws Exception {
        AtomicReference<RequestContext> heard = new AtomicReference<>();
        String rules = application.rules(BY_IP + "{ name: all, limits: [10/h] }");
        application
                .at("/shop")
                .servlet(OrdersServlet.class, "/")
                .onStart(context -> register(
                        context,
                        "limit",
                        RateLimitFilter.builder()
                                .rules(rules)
                                .listener(new RateLimitListener() {
                                    @Override
                                    public void onDecision(RequestContext request, Decision decision) {
                                        heard.set(request);
                                    }
                                })
                                .build()));
        start();
        client.get("/shop/a%20b/forward");
        assertThat(heard.get().path()).isEqualTo("/a b/forward");
    }

    private static FilterRegistration.Dynamic register(ServletContext context, String name, Filter filter) {
        FilterRegistration.Dynamic registration = context.addFilter(name, filter);
        registration.setAsyncSupported(true);
        registration.addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
        return registration;
    }
}
