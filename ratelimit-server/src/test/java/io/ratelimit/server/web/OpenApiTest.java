package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.ratelimit.server.api.RulesResource;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService.Answer;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import jakarta.ws.rs.Path;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.glassfish.jersey.server.model.Resource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The description of the API says what the API does. */
class OpenApiTest {

    private static final String RULES = "service: %s\nrules:\n  - { name: everyone, limits: %s }\n";

    /** What it takes a broken database, thousands of listeners or a bug to see. */
    private static final Set<String> RARE =
            Set.of("database-unavailable", "too-many-listeners", "internal-error", "unreadable-rules");

    private static RunningService service;
    private static ApiDescription description;

    private final Set<String> visited = new TreeSet<>();
    private final Set<String> problems = new TreeSet<>();

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:openapi", null, null));
        description = new ApiDescription(service.get("/openapi.yaml", null).body());
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    static Stream<ApiDescription.Example> examples() {
        return description.examples().stream();
    }

    @Test
    void isServedToEverybody() {
        Answer answer = service.get("/openapi.yaml", null);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Type")).isEqualTo("application/yaml");
        assertThat(description.root().get("openapi").asText()).isEqualTo("3.1.0");
    }

    @Test
    void isReadByToolsThatMakeClients() {
        SwaggerParseResult read = new OpenAPIV3Parser()
                .readContents(service.get("/openapi.yaml", null).body());

        assertThat(read.getMessages()).isEmpty();
        assertThat(read.getOpenAPI().getPaths())
                .hasSameSizeAs(description.root().get("paths"));
    }

    @Test
    void describesEachOperationThatThereIsAndNoOther() {
        Set<String> there = new TreeSet<>();
        Stream.of(RulesResource.class, MetricsResource.class)
                .map(Class::getPackageName)
                .flatMap(name -> new ClassFileImporter()
                        .withImportOption(new ImportOption.DoNotIncludeTests()).importPackages(name).stream())
                .filter(type -> type.isAnnotatedWith(Path.class))
                .map(JavaClass::reflect)
                .forEach(type -> addOperations("", Resource.from(type), there));

        assertThat(description.operations()).isEqualTo(there);
    }

    private static void addOperations(String parent, Resource resource, Set<String> operations) {
        String path = parent + "/" + resource.getPath().replaceAll("^/+|/+$", "");
        String here = path.replaceAll("/+", "/");
        resource.getResourceMethods().forEach(method -> operations.add(method.getHttpMethod() + " " + here));
        resource.getChildResources().forEach(child -> addOperations(here.equals("/") ? "" : here, child, operations));
    }

    @ParameterizedTest
    @MethodSource("examples")
    void hasExamplesOfWhatItDescribes(ApiDescription.Example example) {
        description.check(example.place(), example.schema(), example.value());
    }

    @Test
    void holdsForEachOperationAndEachProblem() throws Exception {
        publishing();
        singleRules();
        history();
        trials();
        traffic();
        administration();
        operations();
        tooOften();

        assertThat(visited).isEqualTo(description.operations());
        Set<String> described = new TreeSet<>();
        description.schema("Problem").at("/properties/type/enum").forEach(kind -> described.add(kind.asText()));
        described.removeIf(kind -> RARE.stream().anyMatch(kind::endsWith));
        assertThat(problems).isEqualTo(described);
    }

    private void publishing() {
        String admin = service.admin();
        String viewer = service.token("a viewer", "viewer", "orders");
        ask(404, "GET", "/v1/services/orders/rules", admin, "");
        ask(428, "PUT", "/v1/services/orders/rules", admin, rules("1/s"));
        ask(200, "PUT", "/v1/services/orders/rules", admin, rules("1/s"), "If-None-Match", "*");
        Answer got = ask(200, "GET", "/v1/services/orders/rules", viewer, "");
        ask(304, "GET", "/v1/services/orders/rules", viewer, "", "If-None-Match", got.header("ETag"));
        ask(200, "PUT", "/v1/services/orders/rules?comment=why", admin, rules("2/s"), "If-Match", got.header("ETag"));
        ask(412, "PUT", "/v1/services/orders/rules", admin, rules("3/s"), "If-Match", got.header("ETag"));
        ask(400, "PUT", "/v1/services/orders/rules", admin, rules("3/s"), "If-Match", "W/\"1\"");
        ask(422, "PUT", "/v1/services/orders/rules", admin, rules("3/x"), "If-Match", "*");
        ask(403, "PUT", "/v1/services/orders/rules", viewer, rules("3/s"), "If-Match", "*");
        ask(200, "PUT", "/v1/services/json/rules", admin, "{\"service\":\"json\",\"rules\":[]}", "If-Match", "*");
        ask(200, "GET", "/v1/services/json/rules", admin, "");
        ask(204, "DELETE", "/v1/services/json/rules", admin, "", "If-Match", "*");
        ask(412, "DELETE", "/v1/services/json/rules", admin, "", "If-Match", "*");
        ask(200, "GET", "/v1/services", viewer, "");
    }

    private void singleRules() {
        String admin = service.admin();
        String anchored =
                "service: anchored\nrules:\n  - &a { name: a, limits: &l [1/s] }\n  - { name: b, limits: *l }\n";
        ask(
                200,
                "POST",
                "/v1/services/orders/rules",
                admin,
                "{\"name\":\"login\",\"limits\":[\"5/m\"]}",
                "If-Match",
                "*");
        ask(409, "POST", "/v1/services/orders/rules", admin, "name: login\nlimits: 5/m\n", "If-Match", "*");
        ask(422, "POST", "/v1/services/orders/rules", admin, "name: other\nlimits: 5/x\n", "If-Match", "*");
        ask(200, "GET", "/v1/services/orders/rules/login", admin, "");
        ask(200, "GET", "/v1/services/orders/rules/login", admin, "", "Accept", "application/yaml");
        ask(404, "GET", "/v1/services/orders/rules/nobody", admin, "");
        ask(200, "PUT", "/v1/services/orders/rules/login", admin, "name: login\nlimits: 6/m\n", "If-Match", "*");
        ask(200, "DELETE", "/v1/services/orders/rules/login", admin, "", "If-Match", "*");
        ask(404, "DELETE", "/v1/services/orders/rules/login", admin, "", "If-Match", "*");
        ask(200, "PUT", "/v1/services/anchored/rules", admin, anchored, "If-Match", "*");
        ask(409, "DELETE", "/v1/services/anchored/rules/a", admin, "", "If-Match", "*");
    }

    private void history() {
        String admin = service.admin();
        ask(200, "POST", "/v1/services/orders/versions/1/restore?comment=back", admin, "", "If-Match", "*");
        ask(404, "POST", "/v1/services/orders/versions/99/restore", admin, "", "If-Match", "*");
        ask(200, "GET", "/v1/services/orders/versions", admin, "");
        ask(200, "GET", "/v1/services/orders/versions?before=2", admin, "");
        ask(200, "GET", "/v1/services/orders/versions/1", admin, "");
        ask(404, "GET", "/v1/services/orders/versions/one", admin, "");
        ask(200, "GET", "/v1/services/orders/versions/1/rules", admin, "");
        ask(200, "GET", "/v1/services/orders/diff?from=1&to=2", admin, "");
        ask(404, "GET", "/v1/services/orders/diff?from=1&to=99", admin, "");
    }

    private void trials() {
        String admin = service.admin();
        ask(200, "POST", "/v1/services/orders/check", admin, rules("1/x"));
        ask(200, "POST", "/v1/services/orders/check", admin, rules("1/s"));
        askJson(200, "/v1/services/orders/explain", "{\"request\":\"GET / user=alice\",\"times\":3}");
        askJson(200, "/v1/services/orders/explain", "{\"request\":\"GET /\"}");
        askJson(400, "/v1/services/orders/explain", "{\"request\":\"GET / user=alice\",\"times\":0}");
        askJson(400, "/v1/services/orders/explain", "{\"requests\":[]}");
        askJson(422, "/v1/services/orders/explain", "{\"request\":\"GET /\",\"rules\":\"x\"}");
        ask(415, "POST", "/v1/services/orders/explain", admin, "x", "Content-Type", "text/plain");
        ask(200, "POST", "/v1/services/orders/replay", admin, rules("1/s"));
        ask(422, "POST", "/v1/services/orders/replay", admin, rules("1/x"));
    }

    private void traffic() throws Exception {
        String host = service.token("a host", "host", "orders");
        String tag = service.get("/v1/services/orders/rules", host).header("ETag");
        long now = System.currentTimeMillis();
        JsonNode report = description
                .operation("POST /v1/services/{service}/reports")
                .at("/requestBody/content/application~1json/example");
        // The example is of another day.
        String today = new ObjectMapper().writeValueAsString(report).replaceAll("17935248\\d{5}", Long.toString(now));
        ask(204, "POST", "/v1/services/orders/reports", host, today, "Content-Type", "application/json");
        ask(400, "POST", "/v1/services/orders/reports", host, "{}", "Content-Type", "application/json");
        ask(200, "GET", "/v1/services/orders/rules", host, "", "RateLimit-Host", "app-4/1", "RateLimit-In-Force", tag);
        ask(403, "GET", "/v1/services/orders/hosts", host, "");
        ask(200, "GET", "/v1/services/orders/hosts", service.admin(), "");
        ask(200, "GET", "/v1/services/orders/activity", service.admin(), "");
        ask(200, "GET", "/v1/services/orders/activity?resolution=coarse&since=1", service.admin(), "");
        ask(400, "GET", "/v1/services/orders/activity?resolution=odd", service.admin(), "");
        ask(200, "GET", "/v1/services/orders/activity/everyone/clients", service.admin(), "");
        ask(200, "POST", "/v1/services/orders/replay", service.admin(), rules("1/h"));
        ask(404, "GET", "/v1/services/nobody/events", service.admin(), "");
        ask(406, "GET", "/v1/services/orders/events", host, "", "Accept", "text/html");
        try (EventReader events = service.events("/v1/services/orders/events", host)) {
            String event = events.next(Duration.ofSeconds(5));
            assertThat(event).contains("event: published\n");
            String data = event.lines()
                    .filter(line -> line.startsWith("data: "))
                    .findFirst()
                    .orElseThrow();
            description.check(
                    "event",
                    description.schema("Publication"),
                    new ObjectMapper().readTree(data.substring("data: ".length())));
            visited.add("GET /v1/services/{service}/events");
        }
    }

    private void administration() {
        String admin = service.admin();
        Answer created = askJson(201, "/v1/tokens", "{\"name\":\"x\",\"role\":\"viewer\",\"services\":[\"*\"]}");
        askJson(201, "/v1/tokens", """
                {"name":"y","role":"editor","services":["orders"],"expires":"2999-01-01T00:00:00Z"}""");
        ask(204, "DELETE", "/v1/tokens/" + created.json().get("id").asLong(), admin, "");
        ask(404, "DELETE", "/v1/tokens/" + created.json().get("id").asLong(), admin, "");
        ask(409, "DELETE", "/v1/tokens/1", admin, "");
        ask(200, "GET", "/v1/tokens", admin, "");
        ask(200, "GET", "/v1/audit", admin, "");
        ask(400, "GET", "/v1/audit?before=x", admin, "");
    }

    private void operations() {
        ask(200, "GET", "/health", null, "");
        ask(200, "GET", "/ready", null, "");
        ask(200, "GET", "/metrics", service.admin(), "");
        ask(200, "GET", "/openapi.yaml", null, "");
        Answer wrong = send("PUT", "/v1/audit", service.admin(), "");
        assertThat(wrong.status()).isEqualTo(405);
        problems.add(wrong.json().get("type").asText());
    }

    private void tooOften() {
        ask(401, "GET", "/v1/services", "rlt_guess", "");
        Answer answer = service.get("/v1/services", "rlt_guess");
        // A guess a second is free.
        for (int i = 0; i < 1_000 && answer.status() != 429; i++) {
            answer = service.get("/v1/services", "rlt_guess");
        }
        assertThat(answer.status()).isEqualTo(429);
        description.check("GET /v1/services", answer);
        problems.add(answer.json().get("type").asText());
    }

    private Answer askJson(int status, String path, String json) {
        return ask(status, "POST", path, service.admin(), json, "Content-Type", "application/json");
    }

    private Answer ask(int status, String method, String path, String token, String body, String... headers) {
        Answer answer = send(method, path, token, body, headers);
        String operation = description.operationOf(method, path).orElseThrow();
        assertThat(answer.status())
                .as(method + " " + path + " answers " + answer)
                .isEqualTo(status);
        description.check(operation, answer);
        if (status < 400) {
            visited.add(operation);
        } else {
            problems.add(answer.json().get("type").asText());
        }
        return answer;
    }

    private static Answer send(String method, String path, String token, String body, String... headers) {
        var request = service.request(path, token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return service.send(
                request.method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body)));
    }

    private static String rules(String limit) {
        return RULES.formatted("orders", limit);
    }
}
