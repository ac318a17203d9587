package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.QueryParameterCost;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.container.ContainerResponseFilter;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.ext.Provider;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.eclipse.jetty.ee11.servlet.ServletContextHandler;
import org.eclipse.jetty.ee11.servlet.ServletHolder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The feature behind the servlet filter, which has charged the rules of paths before. */
@Tag("filter")
class BehindFilterTest {

    private static final String TEN = "- { name: all, match: { path: /** }, limits: [10/m] }";

    @Path("app")
    public static class App {

        @GET
        @Path("plain")
        public String plain() {
            return "plain";
        }

        @GET
        @Path("dear")
        @RateLimited(cost = 5)
        public String dear() {
            return "dear";
        }

        @GET
        @Path("cheap")
        @RateLimited(cost = 1)
        public String cheap() {
            return "cheap";
        }

        @GET
        @Path("limited")
        @RateLimited(operation = "limited", limits = "2/m")
        public String limited() {
            return "limited";
        }

        @GET
        @Path("search")
        @RateLimited(operation = "search", limits = "20/m")
        public String search(@Context HttpServletRequest request) {
            Decision decision = (Decision) request.getAttribute(Decision.ATTRIBUTE);
            return "charged " + decision.settlement().confirm(5) + ", again "
                    + decision.settlement().refund();
        }

        @GET
        @Path("exempt")
        @RateLimitExempt
        public String exempt() {
            return "exempt";
        }

        @POST
        @Path("items")
        public void post() {}

        @DELETE
        @Path("items")
        public void delete() {}
    }

    private static String remaining(HttpResponse<String> answer) {
        assertThat(answer.headers().allValues("X-RateLimit-Remaining")).hasSize(1);
        return answer.headers().firstValue("X-RateLimit-Remaining").orElseThrow();
    }

    @Test
    void aDearerAnnotationIsChargedTheDifference() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            assertThat(remaining(app.get("/app/dear"))).isEqualTo("5");
            assertThat(remaining(app.get("/app/dear"))).isEqualTo("0");
            assertThat(app.get("/app/plain").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aCostFromTheQueryIsTheSameForTheFilterAndTheFeature() throws Exception {
        RateLimitEngine engine = TestEngine.withDocument(
                """
                costs: [{ path: /app/limited, resolver: page-size }]
                rules:
                  - { name: all, match: { path: /** }, limits: [10/m] }
                  - { name: some, match: { operation: limited }, limits: [100/m] }
                """, builder -> builder.costs(new QueryParameterCost("page-size", "size", 1, 100)));
        try (Served app = Served.behindFilter(engine, App.class)) {
            assertThat(remaining(app.get("/app/limited?size=7"))).isEqualTo("3");
        }
    }

    @Test
    void aDifferenceThatIsRefusedGivesBackWhatTheFilterCharged() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            app.statuses(6, "/app/plain");
            assertThat(app.get("/app/dear").statusCode()).isEqualTo(429);
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("3");
        }
    }

    @Test
    void aCheaperAnnotationGivesTheDifferenceBack() throws Exception {
        RateLimitEngine engine =
                TestEngine.withDocument("costs:\n  - { path: /app/cheap, cost: 4 }\nrules:\n  " + TEN + "\n");
        try (Served app = Served.behindFilter(engine, App.class)) {
            assertThat(app.get("/app/cheap").statusCode()).isEqualTo(200);
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("8");
        }
    }

    @Test
    void aRefusalByTheAnnotationRefundsTheFilterAndTellsOfItsOwnLimit() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            HttpResponse<String> allowed = app.get("/app/limited");
            assertThat(allowed.headers().allValues("RateLimit-Policy"))
                    .containsExactly("\"all\";q=10;w=60, \"limited\";q=2;w=60");
            assertThat(remaining(allowed)).isEqualTo("1");
            app.get("/app/limited");
            for (int i = 0; i < 3; i++) {
                HttpResponse<String> refused = app.get("/app/limited");
                assertThat(refused.statusCode()).isEqualTo(429);
                assertThat(refused.headers().allValues("RateLimit-Policy")).containsExactly("\"limited\";q=2;w=60");
                assertThat(refused.headers().allValues("Retry-After")).containsExactly("30");
                assertThat(remaining(refused)).isEqualTo("0");
                assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
                assertThat(refused.body()).contains("\"limited\"").doesNotContain("\"all\"");
            }
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("7");
        }
    }

    @Test
    void aRuleThatFilterAndAnnotationLeadToIsChargedOnce() throws Exception {
        String rules = "- { name: limited, match: { path: /app/limited }, limits: [3/m] }";
        try (Served app = Served.behindFilter(TestEngine.with(rules), App.class)) {
            assertThat(app.statuses(4, "/app/limited")).containsExactly(200, 200, 200, 429);
        }
    }

    @Test
    void aMethodMaySayWhatItReallyCost() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            assertThat(app.get("/app/search").body()).isEqualTo("charged true, again false");
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("4");
        }
    }

    @Test
    void anExemptMethodIsRefundedAndTellsNoLimit() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            HttpResponse<String> exempt = app.get("/app/exempt");
            assertThat(exempt.statusCode()).isEqualTo(200);
            assertThat(exempt.headers().map().keySet())
                    .noneMatch(name -> name.toLowerCase(Locale.ROOT).contains("ratelimit"));
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("9");
        }
    }

    @Test
    void whatTheFilterChargedAMethodWithoutAnnotationStands() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class)) {
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("9");
            assertThat(remaining(app.send("HEAD", "/app/plain", BodyPublishers.noBody())))
                    .isEqualTo("8");
        }
    }

    @Test
    void aRuleForTheMethodThatWasMatchedHoldsThoughTheFilterSawAnother() throws Exception {
        String rules = "- { name: deletes, match: { path: /app/items, methods: [DELETE] }, limits: [2/m] }";
        try (Served app =
                Served.behindFilter(TestEngine.with(rules), App.class, AnnotatedResourceTest.MethodOverride.class)) {
            for (int expected : new int[] {204, 204, 429}) {
                HttpResponse<String> answer =
                        app.send("POST", "/app/items", BodyPublishers.noBody(), "X-HTTP-Method-Override", "DELETE");
                assertThat(answer.statusCode()).isEqualTo(expected);
            }
        }
    }

    @Test
    void theEngineOfTheFilterDecidesEvenIfAnotherIsHandedIn() throws Exception {
        RateLimitEngine ofFilter = TestEngine.with(TEN);
        try (RateLimitEngine other = TestEngine.with("")) {
            Components config = Components.of(App.class).with(new RateLimitFeature(other));
            try (Served app = Served.at("/", "/*", config, ofFilter, handler -> Served.addFilter(handler, ofFilter))) {
                assertThat(app.get("/app/limited").headers().allValues("RateLimit-Policy"))
                        .containsExactly("\"all\";q=10;w=60, \"limited\";q=2;w=60");
            }
        }
    }

    /** Forwards to a resource method. */
    public static class Forwarding extends HttpServlet {

        private static final long serialVersionUID = 1L;

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws ServletException, IOException {
            request.getRequestDispatcher("/app/limited").forward(request, response);
        }
    }

    @Test
    void aRequestThatIsForwardedToAResourceIsChargedOnce() throws Exception {
        RateLimitEngine engine = TestEngine.with(TEN);
        Consumer<ServletContextHandler> more = handler -> {
            handler.addServlet(new ServletHolder(new Forwarding()), "/forward");
            Served.addFilter(handler, engine);
        };
        try (Served app = Served.at("/", "/*", Components.of(App.class), engine, more)) {
            assertThat(app.get("/forward").body()).isEqualTo("limited");
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("8");
            assertThat(app.get("/forward").statusCode()).isEqualTo(200);
            assertThat(app.get("/forward").statusCode()).isEqualTo(429);
            assertThat(remaining(app.get("/app/plain"))).isEqualTo("6");
        }
    }

    @Test
    void aRuleHoldsForThePathThatJaxRsReadsThoughTheContainerReadAnother() throws Exception {
        RateLimitEngine engine = TestEngine.withDocument("""
                exempt: [{ path: /free }]
                rules:
                  - { name: api, match: { path: /api/** }, limits: [1/m] }
                  - { name: others, match: { path: /other }, limits: [5/m] }
                """);
        try (Served app = Served.behindFilter(engine, AnnotatedResourceTest.CatchAll.class)) {
            assertThat(app.get("/api/x/../../free").body()).isEqualTo("caught");
            assertThat(app.get("/api/x/../../other").statusCode()).isEqualTo(429);
            assertThat(app.get("/api/..%3Bx/..%3By/free").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void aRefusedRequestIsGivenBackItsChargeOnlyOnce() {
        String rules = TEN + "\n- { name: never, match: { operation: never }, limits: \"0\" }";
        try (RateLimitEngine engine = TestEngine.with(rules)) {
            HttpEngine http = new HttpEngine(engine, new HttpAnswers(HttpSettings.DEFAULT, engine.timeSource()));
            RequestContext seen = TestRequest.get("/app");
            for (int i = 0; i < 5; i++) {
                engine.limiter().decide(seen);
            }
            Map<String, Object> properties = new HashMap<>();
            Decision byFilter = engine.limiter().decide(seen);
            properties.put(ChargedRequest.ATTRIBUTE, ChargedRequest.mark(http, seen, byFilter, null));
            ContainerRequestContext request = mock(ContainerRequestContext.class);
            when(request.getMethod()).thenReturn("GET");
            when(request.getHeaders()).thenReturn(new MultivaluedHashMap<>());
            when(request.getProperty(any())).thenAnswer(call -> properties.get(call.<String>getArgument(0)));
            doAnswer(call -> properties.put(call.getArgument(0), call.getArgument(1)))
                    .when(request)
                    .setProperty(any(), any());
            Exchange exchange = mock(Exchange.class);
            when(exchange.path(request)).thenReturn("/app");
            ResourceLimiter limiter = new ResourceLimiter(new Engines(http), new DeclaredRules(), () -> exchange);
            limiter.limit(request, new MethodPolicy(false, List.of(new Operation("never", RequestContext.NO_COST))));
            verify(request).abortWith(any());
            limiter.limit(request, new MethodPolicy(true, List.of()));
            assertThat(engine.limiter().decide(seen).limits().get(0).remaining())
                    .isEqualTo(4);
        }
    }

    /** A response filter that tells what became of the request. */
    @Provider
    public static class Told implements ContainerResponseFilter {

        @Override
        public void filter(ContainerRequestContext request, ContainerResponseContext response) {
            Decision decision = (Decision) request.getProperty(Decision.ATTRIBUTE);
            response.getHeaders().putSingle("X-Told", decision.reason() + " " + decision.allowed());
        }
    }

    @Test
    void filtersOfResponsesAreToldThatTheAnnotationRefused() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), App.class, Told.class)) {
            for (String told : List.of("WITHIN_LIMITS true", "WITHIN_LIMITS true", "LIMIT_EXCEEDED false")) {
                assertThat(app.get("/app/limited").headers().firstValue("X-Told"))
                        .hasValue(told);
            }
        }
    }

    @Test
    void anErrorOfTheLimiterLetsTheRequestPass() {
        ContainerRequestContext request = mock(ContainerRequestContext.class);
        when(request.getProperty(any())).thenThrow(new AssertionError("on purpose"));
        try (RateLimitEngine engine = TestEngine.with(TEN)) {
            HttpEngine http = new HttpEngine(engine, new HttpAnswers(HttpSettings.DEFAULT, engine.timeSource()));
            ResourceLimiter limiter =
                    new ResourceLimiter(new Engines(http), new DeclaredRules(), () -> mock(Exchange.class));
            limiter.limit(request, new MethodPolicy(false, List.of()));
            limiter.settle(request, 200);
            verify(request, never()).abortWith(any());
        }
    }

    @Path("guarded")
    @RateLimitExempt
    public static class ExemptClass {

        @GET
        public String free() {
            return "free";
        }

        @GET
        @Path("limited")
        @RateLimited(limits = "1/m")
        public String limited() {
            return "limited";
        }
    }

    @Test
    void anAnnotationOnAMethodOfAnExemptClassHolds() throws Exception {
        try (Served app = Served.behindFilter(TestEngine.with(TEN), ExemptClass.class)) {
            assertThat(app.statuses(12, "/guarded")).containsOnly(200);
            assertThat(app.statuses(2, "/guarded/limited")).containsExactly(200, 429);
        }
    }
}
