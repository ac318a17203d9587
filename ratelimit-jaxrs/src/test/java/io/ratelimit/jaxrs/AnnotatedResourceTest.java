package io.ratelimit.jaxrs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.annotation.RateLimitExempt;
import io.ratelimit.annotation.RateLimited;
import io.ratelimit.core.RateLimitEngine;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.FormParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.container.AsyncResponse;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.container.Suspended;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import jakarta.ws.rs.sse.Sse;
import jakarta.ws.rs.sse.SseEventSink;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The feature without a filter, in Jetty. */
@Tag("jaxrs")
class AnnotatedResourceTest {

    @Path("orders")
    @RateLimited(operation = "orders", limits = "3/m")
    public static class Orders {

        @GET
        public String list() {
            return "list";
        }

        @GET
        @Path("{id}")
        @RateLimited(limits = "2/m")
        public String one(@PathParam("id") String id) {
            return id;
        }

        @GET
        @Path("help")
        @RateLimitExempt
        public String help() {
            return "help";
        }

        @DELETE
        @RateLimited(operation = "delete-orders", limits = "2/m")
        public void delete() {}

        @POST
        public String post() {
            return "posted";
        }
    }

    @Test
    void theLimitOfAnAnnotationHoldsAndIsTold() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class)) {
            HttpResponse<String> first = app.get("/orders");
            assertThat(first.statusCode()).isEqualTo(200);
            assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly("\"orders\";q=3;w=60");
            assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("2");
            assertThat(app.statuses(3, "/orders")).containsExactly(200, 200, 429);
        }
    }

    @Test
    void anAnnotationOnTheMethodWinsOverTheOneOnItsClass() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class)) {
            assertThat(app.statuses(3, "/orders")).containsExactly(200, 200, 200);
            HttpResponse<String> one = app.get("/orders/7");
            assertThat(one.headers().firstValue("RateLimit-Policy")).contains("\"Orders.one\";q=2;w=60");
            assertThat(app.get("/orders/8").statusCode()).isEqualTo(200);
            assertThat(app.get("/orders/9").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void anExemptMethodIsFreeOfTheLimitOfItsClass() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class)) {
            assertThat(app.statuses(5, "/orders/help")).containsOnly(200);
            assertThat(app.get("/orders/help").headers().firstValue("RateLimit"))
                    .isEmpty();
            assertThat(app.statuses(3, "/orders")).containsOnly(200);
        }
    }

    @Test
    void headRunsGetAndCountsAsGet() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class)) {
            for (int i = 0; i < 3; i++) {
                assertThat(app.send("HEAD", "/orders", BodyPublishers.noBody()).statusCode())
                        .isEqualTo(200);
            }
            HttpResponse<String> refused = app.send("HEAD", "/orders", BodyPublishers.noBody());
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.body()).isEmpty();
            HttpResponse<String> got = app.get("/orders");
            for (String field : new String[] {"RateLimit", "RateLimit-Policy", "Retry-After", "X-RateLimit-Limit"}) {
                assertThat(refused.headers().firstValue(field))
                        .isPresent()
                        .isEqualTo(got.headers().firstValue(field));
            }
        }
    }

    @Test
    void aRefusalIsAProblemInJson() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class)) {
            app.statuses(3, "/orders");
            HttpResponse<String> refused = app.get("/orders");
            assertThat(refused.statusCode()).isEqualTo(429);
            assertThat(refused.headers().firstValue("Content-Type")).contains("application/problem+json");
            assertThat(refused.headers().allValues("Cache-Control")).containsExactly("no-store");
            assertThat(refused.headers().allValues("Retry-After")).containsExactly("20");
            assertThat(refused.headers().firstValue("Content-Length")).isPresent();
            assertThat(refused.body())
                    .startsWith("{")
                    .contains("https://iana.org/assignments/http-problem-types#quota-exceeded")
                    .contains("\"orders\"");
        }
    }

    @PreMatching
    public static class MethodOverride implements ContainerRequestFilter {

        @Override
        public void filter(ContainerRequestContext request) {
            String method = request.getHeaderString("X-HTTP-Method-Override");
            if (method != null) {
                request.setMethod(method);
            }
        }
    }

    @Test
    void theMethodThatJaxRsMatchedIsLimited() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Orders.class, MethodOverride.class)) {
            for (int expected : new int[] {204, 204, 429}) {
                HttpResponse<String> answer =
                        app.send("POST", "/orders", BodyPublishers.noBody(), "X-HTTP-Method-Override", "DELETE");
                assertThat(answer.statusCode()).isEqualTo(expected);
            }
        }
    }

    public interface Api<T> {

        @POST
        @Consumes("text/plain")
        @RateLimited(limits = "1/m")
        String put(T value);
    }

    @RateLimited(operation = "base", limits = "2/m")
    public abstract static class Base {

        @GET
        @Path("inherited")
        public String inherited() {
            return "inherited";
        }

        @GET
        @Path("overridden")
        @RateLimited(operation = "of-superclass", limits = "1/m")
        public String overridden() {
            return "base";
        }
    }

    @Path("derived")
    public static class Derived extends Base implements Api<String> {

        @Override
        public String put(String value) {
            return value;
        }

        @Override
        public String overridden() {
            return "derived";
        }
    }

    @Test
    void annotationsAreFoundOnInterfacesAndSuperclasses() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Derived.class)) {
            assertThat(app.statuses(3, "/derived/inherited")).containsExactly(200, 200, 429);
            assertThat(app.statuses(2, "/derived/overridden")).containsExactly(200, 429);
            for (int expected : new int[] {200, 429}) {
                HttpResponse<String> answer =
                        app.send("POST", "/derived", BodyPublishers.ofString("x"), "Content-Type", "text/plain");
                assertThat(answer.statusCode()).isEqualTo(expected);
            }
        }
    }

    @Path("several")
    public static class Several {

        @GET
        @RateLimited(operation = "reads", limits = "3/m")
        @RateLimited(operation = "exports", limits = "2/m")
        public String both() {
            return "both";
        }

        @GET
        @Path("reads")
        @RateLimited(operation = "reads")
        public String reads() {
            return "reads";
        }

        @GET
        @Path("same")
        @RateLimited(limits = "3/m")
        @RateLimited(limits = "1/m", key = "header:X-Device")
        public String same() {
            return "same";
        }
    }

    @Test
    void ofSeveralOperationsEachMustAllowAndARefusalChargesNone() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Several.class)) {
            assertThat(app.statuses(4, "/several")).containsExactly(200, 200, 429, 429);
            assertThat(app.statuses(2, "/several/reads")).containsExactly(200, 429);
        }
    }

    @Test
    void severalAnnotationsOfOneOperationAreRulesOfTheirOwn() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Several.class)) {
            int[] expected = {200, 429, 200, 200, 429};
            String[] devices = {"a", "a", "b", "c", "d"};
            for (int i = 0; i < devices.length; i++) {
                assertThat(app.send("GET", "/several/same", BodyPublishers.noBody(), "X-Device", devices[i])
                                .statusCode())
                        .isEqualTo(expected[i]);
            }
        }
    }

    @Test
    void aRuleThatNamesTheOperationReplacesTheLimitInTheCode() throws Exception {
        String rules = "- { name: from-file, match: { operation: orders }, limits: [1/m] }";
        try (Served app = Served.alone(TestEngine.with(rules), Orders.class)) {
            HttpResponse<String> first = app.get("/orders");
            assertThat(first.headers().firstValue("RateLimit-Policy")).contains("\"from-file\";q=1;w=60");
            assertThat(app.get("/orders").statusCode()).isEqualTo(429);
        }
    }

    @Path("costly")
    public static class Costly {

        @GET
        @RateLimited(operation = "costly", cost = 5)
        public String get() {
            return "costly";
        }
    }

    @Test
    void theCostOfAnAnnotationHoldsForRulesOfPathsToo() throws Exception {
        String rules = "- { name: all, match: { path: /** }, limits: [10/m] }";
        try (Served app = Served.alone(TestEngine.with(rules), Costly.class)) {
            assertThat(app.get("/costly").headers().firstValue("X-RateLimit-Remaining"))
                    .contains("5");
            assertThat(app.statuses(2, "/costly")).containsExactly(200, 429);
        }
    }

    @Test
    void rulesOfPathsHoldWithoutAnnotationsWhereverTheApplicationIsMapped() throws Exception {
        String rules = "- { name: orders, match: { path: /api/v1/orders }, limits: [2/m] }";
        String[][] deployments = {
            {"/", "/api/v1/*", "/"}, {"/shop", "/api/*", "/v1"}, {"/shop", "/*", "/api/v1"}, {"/", "/*", "/api/v1"}
        };
        for (String[] deployment : deployments) {
            RateLimitEngine engine = TestEngine.with(rules);
            Components config = Components.of(UnderPath.class, UnderV1.class, UnderApi.class)
                    .with(new RateLimitFeature(engine));
            try (Served app = Served.at(deployment[0], deployment[1], config, engine, handler -> {})) {
                String url = (deployment[0].equals("/") ? "" : deployment[0]) + "/api/v1/orders";
                String deployed = String.join(" ", deployment);
                assertThat(app.get(url + ";x=1").statusCode()).as(deployed).isEqualTo(200);
                assertThat(app.statuses(2, url)).as(deployed).containsExactly(200, 429);
            }
        }
    }

    @Path("api/{rest: .*}")
    public static class CatchAll {

        @GET
        public String get() {
            return "caught";
        }
    }

    @Test
    void aRuleHoldsForEverySpellingThatReachesItsResource() throws Exception {
        String document = """
                exempt: [{ path: /free }, { path: /api/free }]
                rules:
                  - { name: api, match: { path: /api/** }, key: service, limits: [1/m] }
                """;
        String[] targets = {
            "/api/items/..%3Bx/..%3By",
            "/api/x/../../free",
            "/api/x/..%3B/../../free",
            "/api/free%3Bx",
            "/api/free/x/..",
            "/api/./free",
            "/api/%66ree/x;a=b"
        };
        for (String context : new String[] {"/", "/shop"}) {
            for (String target : targets) {
                RateLimitEngine engine = TestEngine.withDocument(document);
                Components config = Components.of(CatchAll.class).with(new RateLimitFeature(engine));
                try (Served app = Served.at(context, "/*", config, engine, handler -> {})) {
                    String url = (context.equals("/") ? "" : context) + target;
                    assertThat(app.get(url).body()).as(url).isEqualTo("caught");
                    assertThat(app.get(url).statusCode()).as(url).isEqualTo(429);
                }
            }
        }
    }

    @Path("orders")
    public static class UnderPath extends Plain {}

    @Path("v1/orders")
    public static class UnderV1 extends Plain {}

    @Path("api/v1/orders")
    public static class UnderApi extends Plain {}

    public abstract static class Plain {

        @GET
        public String get() {
            return "plain";
        }
    }

    @Path("bodies")
    @RateLimited(
            operation = "bodies",
            limits = "100/m",
            key = {"header:X-Login"})
    public static class Bodies {

        @POST
        @Path("form")
        @Consumes("application/x-www-form-urlencoded")
        public String form(@FormParam("login") String login) {
            return login;
        }

        @POST
        @Path("raw")
        public byte[] raw(byte[] body) {
            return body;
        }
    }

    @Test
    void bodiesOfAllowedRequestsArriveWhole() throws Exception {
        String json = "{\"text\":\"" + "Größe ".repeat(17_000) + "\"}";
        String multipart = "--b\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\nzażółć\r\n--b--\r\n";
        try (Served app = Served.alone(TestEngine.with(""), Bodies.class)) {
            for (int i = 0; i < 5; i++) {
                assertThat(post(app, "form", "application/x-www-form-urlencoded", "login=alice"))
                        .isEqualTo("alice");
                assertThat(post(app, "raw", "application/json", json)).isEqualTo(json);
                assertThat(post(app, "raw", "multipart/form-data; boundary=b", multipart))
                        .isEqualTo(multipart);
            }
        }
    }

    private static String post(Served app, String path, String type, String body) throws Exception {
        return app.send("POST", "/bodies/" + path, BodyPublishers.ofString(body), "Content-Type", type, "X-Login", "a")
                .body();
    }

    public static class Mapper implements ExceptionMapper<IllegalStateException> {

        @Override
        public Response toResponse(IllegalStateException exception) {
            return Response.status(418).entity("mapped").build();
        }
    }

    @Path("odd")
    public static class Odd {

        @GET
        @Path("mapped")
        @RateLimited(limits = "2/m")
        public String mapped() {
            throw new IllegalStateException("on purpose");
        }

        @GET
        @Path("thrown")
        @RateLimited(limits = "2/m")
        public String thrown() {
            throw new UnsupportedOperationException("on purpose");
        }

        @GET
        @Path("suspended")
        @RateLimited(limits = "2/m")
        public void suspended(@Suspended AsyncResponse response) {
            CompletableFuture.runAsync(() -> response.resume("resumed"));
        }

        @GET
        @Path("events")
        @RateLimited(limits = "2/m")
        @Produces("text/event-stream")
        public void events(@Context SseEventSink sink, @Context Sse sse) {
            sink.send(sse.newEvent("one"))
                    .thenCompose(sent -> sink.send(sse.newEvent("two")))
                    .thenRun(sink::close);
        }
    }

    @Test
    void aRequestIsChargedOnceHoweverItsMethodEnds() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Odd.class, Mapper.class)) {
            assertThat(app.statuses(3, "/odd/mapped")).containsExactly(418, 418, 429);
            assertThat(app.statuses(3, "/odd/thrown")).containsExactly(500, 500, 429);
            HttpResponse<String> resumed = app.get("/odd/suspended");
            assertThat(resumed.body()).isEqualTo("resumed");
            assertThat(resumed.headers().firstValue("X-RateLimit-Remaining")).contains("1");
            assertThat(app.statuses(2, "/odd/suspended")).containsExactly(200, 429);
            HttpResponse<String> events = app.get("/odd/events");
            assertThat(events.body()).contains("one", "two");
            assertThat(events.headers().firstValue("X-RateLimit-Remaining")).contains("1");
            assertThat(app.statuses(2, "/odd/events")).containsExactly(200, 429);
        }
    }

    @Test
    void howeverAMethodEndsItIsNoLongerUnderWay() throws Exception {
        String busy = "- { name: busy, sharing: host, key: service, match: { operation: [Odd.mapped, Odd.thrown,"
                + " Odd.suspended, Odd.events] }, limits: { tokens: 1, algorithm: concurrency } }";
        try (Served app = Served.alone(TestEngine.with(busy), Odd.class, Mapper.class)) {
            for (String target : List.of("mapped", "thrown", "suspended", "events", "mapped")) {
                assertThat(app.get("/odd/" + target).statusCode()).as(target).isNotEqualTo(429);
            }
        }
    }

    @Test
    void aChargeByTheResponseStandsForTheStatusesThatItNames() throws Exception {
        String failures = "- { name: failures, key: service, match: { operation: [Odd.mapped, Odd.suspended] },"
                + " limits: [2/h], charge: { when: response, status: 418 } }";
        try (Served app = Served.alone(TestEngine.with(failures), Odd.class, Mapper.class)) {
            assertThat(app.statuses(4, "/odd/suspended")).containsOnly(200);
            assertThat(app.statuses(3, "/odd/mapped")).containsExactly(418, 418, 429);
        }
    }

    @Path("parent")
    public static class Parent {

        @Path("{name}")
        public Child child() {
            return new Child();
        }
    }

    public static class Child {

        @GET
        @RateLimited(limits = "2/m")
        public String get() {
            return "child";
        }
    }

    @Test
    void methodsOfSubResourcesShareTheirLimitOverAllRequests() throws Exception {
        try (Served app = Served.alone(TestEngine.with(""), Parent.class)) {
            assertThat(app.get("/parent/a").statusCode()).isEqualTo(200);
            assertThat(app.get("/parent/b").statusCode()).isEqualTo(200);
            assertThat(app.get("/parent/c").statusCode()).isEqualTo(429);
        }
    }

    @Test
    void theFeatureThatJaxRsLoadsNeedsNoRegistration() throws Exception {
        Components config = Components.of(Orders.class);
        try (Served app = Served.at("/", "/*", config, null, handler -> {})) {
            assertThat(app.statuses(4, "/orders")).containsExactly(200, 200, 200, 429);
        }
    }

    @Test
    void theEngineThatTheFeatureMadeEndsWithTheApplicationWhereJaxRsSaysThatItEnds() throws Exception {
        assumeTrue(Implementation.current().endsProviders());
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        try (Served app = Served.at("/", "/*", Components.of(Orders.class), null, handler -> {})) {
            assertThat(app.get("/orders").statusCode()).isEqualTo(200);
        }
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("ratelimit"));
    }
}
