package io.ratelimit.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.ratelimit.server.command.Terminal;
import io.ratelimit.server.database.DatabaseSettings;
import io.ratelimit.server.web.RunningService;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The commands that work with a rules service, for a team that keeps its rules in git. */
class ServiceCommandsTest {

    private static final String RULES = "# reviewed\nservice: %s\nrules:\n  - { name: everyone, limits: %s }\n";

    private static RunningService service;

    @TempDir
    private Path folder;

    private String name;
    private Path file;
    private HttpServer other;
    private final List<String> heard = new CopyOnWriteArrayList<>();

    private record Answer(int status, String out, String err) {}

    @BeforeAll
    static void start() {
        service = RunningService.firstStart(new DatabaseSettings("jdbc:h2:mem:service-commands", null, null));
    }

    @AfterAll
    static void stop() {
        service.close();
    }

    @BeforeEach
    void writeTheRules(TestInfo test) throws IOException {
        name = test.getTestMethod().orElseThrow().getName();
        file = folder.resolve("rules.yaml");
        write("10/s");
    }

    @AfterEach
    void stopTheOther() {
        if (other != null) {
            other.stop(0);
        }
    }

    @Test
    void theFirstRulesOfAServiceNeedNoBase() {
        Answer answer = push("--comment", "the first ones: 10/s & more");

        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(answer.out()).matches("published: version 1 of " + name + ", 1-[0-9a-f]{8}\\R");
        assertThat(answer.err()).isEmpty();
        assertThat(inForce()).isEqualTo(rules("10/s"));
        assertThat(service.get("/v1/services/" + name + "/versions/1", service.admin())
                        .json()
                        .get("comment")
                        .asText())
                .isEqualTo("the first ones: 10/s & more");
    }

    @Test
    void rulesThatAreInForceAlreadyAreNotPublishedAgain() {
        push();

        Answer again = push("--base", "no-such-file");
        Answer same = push();

        assertThat(same.status()).isZero();
        assertThat(same.out()).startsWith("these rules are in force already: version 1 of " + name + ", 1-");
        assertThat(again.status()).isEqualTo(2);
        assertThat(versions()).isEqualTo(1);
    }

    @Test
    void whatNobodyHasSeenIsNotReplaced() throws IOException {
        service.publish(name, rules("20/s"));

        Answer answer = push();

        assertThat(answer.status()).isEqualTo(3);
        assertThat(answer.err())
                .startsWith("ratelimit-server: nothing is published: version 1 of " + name
                        + " is in force, published by bootstrap at 20")
                .contains("push them with --base 1-");
        assertThat(answer.out())
                .startsWith("--- service:" + name + "@1\n+++ " + file + "\n")
                .contains("limits: 20/s }\n+  - { name: everyone, limits: 10/s }")
                .endsWith("changed: everyone" + System.lineSeparator());
        assertThat(inForce()).isEqualTo(rules("20/s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"NUMBER", "TAG", "QUOTED", "FILE", "-"})
    void aBaseIsAVersionATagOrTheTextThatWasInForce(String kind) throws IOException {
        name = "base" + kind.replace("-", "stdin");
        push();
        String tag = tag();
        Path before = Files.writeString(folder.resolve("before.yaml"), rules("10/s"));
        String base = switch (kind) {
            case "NUMBER" -> "1";
            case "TAG" -> tag.replace("\"", "");
            case "QUOTED" -> tag;
            case "FILE" -> before.toString();
            default -> "-";
        };
        write("20/s");

        Answer answer = run(rules("10/s"), pushing("--base", base));

        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(inForce()).isEqualTo(rules("20/s"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "1-00000000", "FILE", "EMPTY"})
    void anEditThatTheBaseDoesNotHaveStays(String base) throws IOException {
        name = "edited" + base.replace("-", "");
        push();
        Path before = Files.writeString(folder.resolve("before.yaml"), base.equals("EMPTY") ? "" : rules("10/s"));
        service.publish(name, rules("99/s"));
        write("20/s");

        Answer answer = push("--base", base.matches("[A-Z]+") ? before.toString() : base);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(3);
        assertThat(answer.err())
                .startsWith("ratelimit-server: nothing is published: not what --base says but version 2 of " + name
                        + " is in force, published by bootstrap at ");
        assertThat(inForce()).isEqualTo(rules("99/s"));
    }

    @Test
    void anEmptyBaseSaysThatThereIsNothing() {
        assertThat(run("", pushing("--base", "-")).status()).isZero();
        assertThat(inForce()).isEqualTo(rules("10/s"));
    }

    @Test
    void aBaseThatWasTakenOutIsNotPublishedBehindAnybodysBack() throws IOException {
        push();
        service.send(service.request("/v1/services/" + name + "/rules", service.admin())
                .header("If-Match", "*")
                .DELETE());
        write("20/s");

        Answer answer = push("--base", "1");

        assertThat(answer.status()).isEqualTo(3);
        assertThat(answer.err()).contains("no rules are in force for '" + name + "'");
    }

    @Test
    void anEditBetweenTheLookAndThePublicationStays() throws IOException {
        push();
        write("20/s");
        String url = proxy(exchange -> {
            if (exchange.getRequestMethod().equals("PUT")) {
                service.publish(name, rules("99/s"));
            }
            forward(exchange);
        });

        Answer answer = run("", pushingTo(url, "--base", "1"));

        assertThat(answer.status()).as(answer.toString()).isEqualTo(3);
        assertThat(answer.err()).contains("version 2 of " + name + " is in force, published by bootstrap");
        assertThat(inForce()).isEqualTo(rules("99/s"));
    }

    @Test
    void aPublicationWhoseAnswerIsLostIsRepeated() throws IOException {
        push();
        write("20/s");
        String url = proxy(exchange -> {
            if (exchange.getRequestMethod().equals("PUT") && heard.size() == 2) {
                send(exchange);
                exchange.close();
            } else {
                forward(exchange);
            }
        });

        Answer answer = run("", pushingTo(url, "--base", "1"));

        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(answer.out()).startsWith("published: version 2");
        assertThat(heard).hasSize(3);
        assertThat(versions()).isEqualTo(2);
    }

    @Test
    void forceReplacesWhateverIsThere() throws IOException {
        service.publish(name, rules("20/s"));

        assertThat(push("--force").status()).isZero();
        assertThat(inForce()).isEqualTo(rules("10/s"));
    }

    @Test
    void aDryRunShowsWhatWouldChangeAndChangesNothing() {
        Answer first = push("--dry-run");
        service.publish(name, rules("20/s"));
        Answer answer = push("--dry-run", "--base", "1");

        assertThat(first.status()).isZero();
        assertThat(first.out()).contains("+service: " + name);
        assertThat(answer.status()).isZero();
        assertThat(answer.out()).contains("changed: everyone").endsWith("--dry-run" + System.lineSeparator());
        assertThat(push("--dry-run").status()).isEqualTo(3);
        assertThat(inForce()).isEqualTo(rules("20/s"));
    }

    @Test
    void rulesThatAreNotValidAreNotSentAnywhere() throws IOException {
        write("10/fortnight");

        Answer answer = run("", pushingTo("http://127.0.0.1:1"));

        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).startsWith(file + ":4:").contains(": error: rule 'everyone'");
        assertThat(push("--service", "another").status()).isEqualTo(1);
    }

    @Test
    void whatTheServiceAloneFindsWrongIsPrinted() throws IOException {
        String url = answering(
                422,
                "application/problem+json",
                "{\"type\":\"urn:ratelimit:problem:invalid-rules\",\"status\":422,\"detail\":\"not valid\","
                        + "\"errors\":[{\"line\":4,\"message\":\"unknown \\u001b[31mfield\"}]}");

        Answer answer = run("", pushingTo(url));

        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).contains("line 4: unknown ").doesNotContain("\u001b");
    }

    @Test
    void rulesArePulledAsTheyWereWritten() throws IOException {
        String text = rules("10/s") + "# Grüße\r\n";
        service.publish(name, text);
        service.publish(name, rules("20/s"));
        Path pulled = folder.resolve("pulled.yaml");

        Answer printed = run("", "pull", name, "--url", url(), "--version", "1");
        Answer written = run("", "pull", name, "--url", url(), "--output", pulled.toString());

        assertThat(printed).isEqualTo(new Answer(0, text, ""));
        assertThat(written).isEqualTo(new Answer(0, tag().replace("\"", "") + System.lineSeparator(), ""));
        assertThat(pulled).hasContent(rules("20/s"));
    }

    @Test
    void theTagThatAPullPrintsIsTheNextBase() throws IOException {
        service.publish(name, rules("20/s"));
        String tag = run("", "pull", name, "--url", url(), "--output", file.toString())
                .out()
                .strip();
        write("30/s");

        assertThat(push("--base", tag).status()).isZero();
        assertThat(inForce()).isEqualTo(rules("30/s"));
    }

    @Test
    void rulesThatAreNotThereCannotBePulled() {
        service.publish("pulled", RULES.formatted("pulled", "1/s"));

        assertThat(run("", "pull", "nobody", "--url", url()).err()).contains("no rules are in force for 'nobody'");
        assertThat(run("", "pull", "nobody", "--url", url()).status()).isEqualTo(2);
        assertThat(run("", "pull", "pulled", "--url", url(), "--version", "9").err())
                .contains("refuses (404): 'pulled' has no version 9");
        assertThat(run("", "pull", "pulled", "--url", url(), "--output", folder.toString())
                        .status())
                .isEqualTo(2);
    }

    @Test
    void rulesOfAServiceAreComparedWithFilesAndVersions() {
        service.publish(name, rules("20/s"));
        service.publish(name, rules("30/s"));
        String current = "service:" + name;

        Answer answer = run("", "diff", "--url", url(), current, file.toString());

        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out())
                .startsWith("--- " + current + "\n+++ " + file)
                .contains("-  - { name: everyone, limits: 30/s }");
        assertThat(run("", "diff", "--url", url(), current + "@1", current + "@2")
                        .out())
                .contains("--- " + current + "@1\n+++ " + current + "@2", "limits: 20/s", "limits: 30/s");
        assertThat(run("", "diff", "--url", url(), current + "@2", current)).isEqualTo(new Answer(0, "", ""));
        assertThat(run("", "diff", "--url", url(), "service:nobody", current).status())
                .isEqualTo(2);
        assertThat(run("", "diff", "--url", url(), "service:a@b", current).err())
                .contains("service:NAME@VERSION");
        assertThat(run("", "diff", current, current).err()).contains("--url is missing");
        assertThat(run("", "diff", "--url", "http://127.0.0.1:1", current, current)
                        .status())
                .isEqualTo(2);
    }

    @Test
    void aTokenThatDoesNotDoIsToldFromAnAbsentOne() throws IOException {
        String viewer = service.token("a viewer", "viewer", name);
        Path token = Files.writeString(folder.resolve("token"), viewer + "\n");
        Map<String, String> wrong = Map.of("RATELIMIT_TOKEN", "rlt_wrong");

        Answer refused = run("", Map.of(), pushing("--token-file", token.toString()));

        assertThat(refused.status()).isEqualTo(2);
        assertThat(refused.err()).contains("refuses (403)").doesNotContain(viewer);
        assertThat(run("", wrong, pushing()).err())
                .contains("refuses (401)", "RATELIMIT_TOKEN", "--token-file")
                .doesNotContain("rlt_wrong", "Bearer");
        assertThat(run("", wrong, pushing()).status()).isEqualTo(2);
        assertThat(run("", Map.of(), pushing()).err()).contains("there is no token", "RATELIMIT_TOKEN");
        assertThat(run("", Map.of(), pushing()).status()).isEqualTo(2);
    }

    @Test
    void anUrlWithThePathOfTheApiIsToldFromOneOfNoRulesService() {
        Answer answer = run("", pushingTo(url() + "/v1"));

        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err())
                .isEqualTo("ratelimit-server: " + url()
                        + "/v1 answers 404: a rules service is there, but nothing of it has"
                        + " this path: leave out what --url has behind the port, such as /v1" + System.lineSeparator());
    }

    @Test
    void noTokenIsEverPrinted() throws IOException {
        Path token = Files.writeString(folder.resolve("token"), "rlt_two\nlines");

        Answer lines = run("", Map.of(), pushing("--token-file", token.toString()));
        Answer inUrl = run("", "pull", name, "--url", "http://user:secret@127.0.0.1:1");

        assertThat(lines.status()).isEqualTo(2);
        assertThat(lines.err()).contains(token + " holds no token").doesNotContain("rlt_two");
        assertThat(inUrl.status()).isEqualTo(2);
        assertThat(inUrl.err()).contains("--url must be").doesNotContain("secret");
    }

    @Test
    void aTokenGoesAlongWithNoRedirect() throws IOException {
        String url = proxy(exchange -> {
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(307, -1);
        });

        Answer answer = run("", pushingTo(url));

        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err()).contains("answers 307");
        assertThat(heard).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "http://ratelimit.invalid, true",
        "https://ratelimit.invalid, false",
        "http://localhost:1, false",
        "http://[::1]:1, false",
        "http://127.9.9.9:1, false",
        "http://192.0.2.1:bad, false"
    })
    void aTokenThatGoesOutInClearIsWarnedOf(String url, boolean warned) {
        Answer answer = run("", "diff", "--url", url, "service:x", "service:x");

        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err().contains("warning: the token goes to ratelimit.invalid in clear"))
                .as(answer.err())
                .isEqualTo(warned);
    }

    @Test
    void aServiceThatIsAwayIsToldFromOneThatRefuses() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        Answer answer = run("", pushingTo("http://127.0.0.1:" + port));

        assertThat(answer.status()).isEqualTo(4);
        assertThat(answer.err()).contains("http://127.0.0.1:" + port + " cannot be reached: no connection");
        assertThat(run("", "pull", name, "--url", "http://127.0.0.1:" + port).status())
                .isEqualTo(4);
    }

    @Test
    void aServiceThatIsBusyIsAskedAgainWhenItWantsToBe() throws IOException {
        long begin = System.nanoTime();
        String url = proxy(exchange -> {
            if (heard.size() == 1) {
                exchange.getResponseHeaders().add("Retry-After", "2");
                exchange.sendResponseHeaders(429, -1);
            } else {
                forward(exchange);
            }
        });

        Answer answer = run("", pushingTo(url));

        assertThat(answer.status()).as(answer.toString()).isZero();
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofSeconds(2));
    }

    @Test
    void aServiceThatStaysOutOfOrderIsAskedThreeTimes() throws IOException {
        String url = answering(502, "text/html", "<h1>Bad gateway</h1>");

        Answer answer = run("", pushingTo(url));

        assertThat(answer.status()).isEqualTo(4);
        assertThat(answer.err()).contains("it answers 502").doesNotContain("<h1>");
        assertThat(heard).hasSize(3);
    }

    @Test
    void nobodyWaitsForAServiceThatWantsToBeLeftAloneForLong() throws IOException {
        String url = proxy(exchange -> {
            exchange.getResponseHeaders().add("Retry-After", "3600");
            exchange.sendResponseHeaders(503, -1);
        });

        assertThat(run("", pushingTo(url)).status()).isEqualTo(4);
        assertThat(heard).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"200, text/html", "404, text/html", "200, application/json", "412, text/html"})
    void whatIsNoRulesServiceIsNotTakenForOne(int status, String type) throws IOException {
        String url = answering(status, type, "<html>Sign in</html>");

        Answer answer = run("", pushingTo(url));

        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err()).contains("answers " + status + " with " + type + ", as no rules service does");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "push",
                "push FILE --base 1 --force",
                "push - --base -",
                "push FILE --service a/b",
                "push FILE --token rlt_x",
                "pull",
                "pull a/b",
                "pull orders --version x"
            })
    void wrongUseIsSaidInALine(String line) {
        String[] arguments = line.replace("FILE", file.toString()).split(" ");

        Answer answer = run("", arguments);

        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err().lines())
                .singleElement()
                .asString()
                .matches("ratelimit-server: .*--help shows the flags\\)");
    }

    private void write(String limit) throws IOException {
        Files.writeString(file, rules(limit));
    }

    private String rules(String limit) {
        return RULES.formatted(name, limit);
    }

    private String inForce() {
        return service.get("/v1/services/" + name + "/rules", service.admin()).body();
    }

    private String tag() {
        return service.get("/v1/services/" + name + "/rules", service.admin()).header("ETag");
    }

    private int versions() {
        return service.get("/v1/services/" + name + "/versions", service.admin())
                .json()
                .size();
    }

    private static String url() {
        return service.uri("").toString();
    }

    private Answer push(String... more) {
        return run("", pushing(more));
    }

    private String[] pushing(String... more) {
        return pushingTo(url(), more);
    }

    private String[] pushingTo(String url, String... more) {
        try {
            // Each test's rules are of its own service.
            Files.writeString(file, Files.readString(file).replaceFirst("service: .*", "service: " + name));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        String[] push = {"push", file.toString(), "--url", url};
        String[] all = Arrays.copyOf(push, push.length + more.length);
        System.arraycopy(more, 0, all, push.length, more.length);
        return all;
    }

    private static Answer run(String in, String... arguments) {
        return run(in, Map.of("RATELIMIT_TOKEN", service.admin()), arguments);
    }

    private static Answer run(String in, Map<String, String> environment, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = RatelimitServer.commandLine(
                        new Terminal(
                                new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                                new PrintStream(out, true, StandardCharsets.UTF_8),
                                new PrintStream(err, true, StandardCharsets.UTF_8)),
                        environment)
                .execute(arguments);
        return new Answer(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String answering(int status, String type, String body) throws IOException {
        return proxy(exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().add("Content-Type", type);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
        });
    }

    private String proxy(HttpHandler handler) throws IOException {
        other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            heard.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            try (exchange) {
                handler.handle(exchange);
            }
        });
        other.start();
        return "http://127.0.0.1:" + other.getAddress().getPort();
    }

    private static void forward(HttpExchange exchange) throws IOException {
        RunningService.Answer answer = send(exchange);
        byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
        for (String header : List.of("Content-Type", "ETag")) {
            exchange.getResponseHeaders().add(header, answer.header(header));
        }
        exchange.sendResponseHeaders(answer.status(), body.length);
        exchange.getResponseBody().write(body);
    }

    private static RunningService.Answer send(HttpExchange exchange) throws IOException {
        var request = service.request(exchange.getRequestURI().toString(), service.admin());
        for (String header : List.of("If-Match", "If-None-Match")) {
            String value = exchange.getRequestHeaders().getFirst(header);
            if (value != null) {
                request.header(header, value);
            }
        }
        byte[] body = exchange.getRequestBody().readAllBytes();
        return service.send(request.method(
                exchange.getRequestMethod(), java.net.http.HttpRequest.BodyPublishers.ofByteArray(body)));
    }
}
