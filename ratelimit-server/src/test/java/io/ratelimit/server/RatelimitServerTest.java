package io.ratelimit.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.ratelimit.server.command.Terminal;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RatelimitServerTest {

    private static final String RULES = """
            service: orders
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: 3/s
              - name: login
                match: { path: /login }
                limits: 1 per 15m
                charge: { when: response, status: [401] }
            """;
    private static final String NOTED = RULES + "  - { name: never, match: { path: /never }, limits: 0 }\n";
    private static final String WARNED = RULES.replace("3/s", "[3/s, 1000/m]");
    private static final String WRONG = RULES.replace("limits: 3/s", "limit: 3/s");

    private record Answer(int status, String out, String err) {}

    private static final String EOL = System.lineSeparator();
    private static final String SHOP = """
            domain: shop
            descriptors:
              - { key: user, rate_limit: { unit: minute, requests_per_unit: 1 },
                  descriptors: [{ key: path, rate_limit: { unlimited: true } }] }
            """;

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void writeTheRules() throws IOException {
        file = folder.resolve("orders.yaml");
        write(RULES);
    }

    @Test
    void rulesWithoutMistakesAreCheckedInSilence() {
        assertThat(run("", "check", file.toString())).isEqualTo(new Answer(0, "", ""));
    }

    @Test
    void eachFindingIsALineWithItsPlace() throws IOException {
        write(WRONG);
        Answer answer = run("", "check", file.toString());
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out().lines())
                .hasSize(2)
                .first()
                .asString()
                .startsWith(file + ":5:5: error: rule 'everyone', field rules[0].limit: unknown field 'limit'");
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void warningsCountWhereTheyAreToAndNotesNever() throws IOException {
        write(WARNED);
        assertThat(run("", "check", file.toString()).out()).contains(":3:5: warning: rule 'everyone': limit '1000");
        assertThat(run("", "check", file.toString()).status()).isZero();
        assertThat(run("", "check", "--strict", file.toString()).status()).isEqualTo(1);
        write(NOTED);
        assertThat(run("", "check", "--strict", file.toString()).out()).contains("note: rule 'never'");
        assertThat(run("", "check", "--strict", file.toString()).status()).isZero();
    }

    @Test
    void aDashIsStandardInput() {
        Answer answer = run(WRONG, "check", "-");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).startsWith("standard input:5:5: error: ");
    }

    @Test
    void aFileThatCannotBeReadKeepsNoOtherFromBeingChecked() throws IOException {
        write(WRONG);
        Path missing = folder.resolve("missing.yaml");
        Answer answer = run("", "check", missing.toString(), file.toString());
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.out()).contains("unknown field 'limit'");
        assertThat(answer.err())
                .isEqualTo("ratelimit-server: " + missing + " cannot be read: there is no such file"
                        + System.lineSeparator());
    }

    @Test
    void findingsArePrintedAsJson() throws IOException {
        write(WRONG);
        JsonNode findings = new JsonMapper()
                .readTree(run("", "check", "--json", file.toString()).out());
        assertThat(findings).hasSize(2);
        assertThat(findings.get(0).path("severity").asText()).isEqualTo("error");
        assertThat(findings.get(0).path("location").asText()).isEqualTo(file.toString());
        assertThat(findings.get(0).path("line").asInt()).isEqualTo(5);
        assertThat(findings.get(0).path("rule").asText()).isEqualTo("everyone");
        assertThat(findings.get(0).path("field").asText()).isEqualTo("rules[0].limit");
        assertThat(run(RULES, "check", "--json", "-").out().strip()).isEqualTo("[ ]");
    }

    @Test
    void theServiceMayBeChecked() {
        assertThat(run("", "check", "--service", "orders", file.toString()).status())
                .isZero();
        assertThat(run("", "check", "--service", "billing", file.toString()).out())
                .startsWith(file + ":1:10: error: field service: these are rules of service 'orders'");
    }

    @Test
    void descriptorFilesAreSummedUp() throws IOException {
        Path descriptors = descriptors("shop.yaml", SHOP);
        assertThat(run(
                        "",
                        "check",
                        "--descriptors",
                        folder.resolve("descriptors").toString()))
                .isEqualTo(new Answer(0, descriptors + ": domain shop, 2 limits, 2 levels deep" + EOL, ""));
        assertThat(run(SHOP, "check", "--descriptors", "-").out())
                .isEqualTo("standard input: domain shop, 2 limits, 2 levels deep" + EOL);
        assertThat(run("", "check", "--descriptors", "--json", descriptors.toString())
                        .out()
                        .strip())
                .isEqualTo("[ ]");
    }

    @Test
    void mistakesInDescriptorFilesAreTheDaemonsOwn() throws IOException {
        Path first = descriptors("first.yaml", SHOP.replace("minute", "minuet"));
        Path second = descriptors("second.yaml", SHOP);
        Answer answer = run("", "check", "--descriptors", first.toString(), second.toString());
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out().lines())
                .satisfiesExactly(
                        unit -> assertThat(unit)
                                .startsWith(first + ":3:38: error: field descriptors[0].rate_limit.unit: 'minuet' is no"
                                        + " unit; did you mean 'minute'?"),
                        twice -> assertThat(twice).contains("second.yaml:1:9: error: field domain: the domain 'shop'"));
    }

    @Test
    void descriptorFilesThatCannotBeReadAreTrouble() throws IOException {
        Path descriptors = descriptors("shop.yaml", SHOP);
        Answer answer =
                run("", "check", "--descriptors", folder.resolve("missing").toString(), descriptors.toString());
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err()).contains("missing: does not exist: create the file, or correct the location");
        assertThat(answer.out()).contains("domain shop");
    }

    @Test
    void descriptorsAmongRulesAreTakenForWhatTheyAre() {
        Answer answer = run(SHOP.replace("minute", "minuet"), "check", "-");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out())
                .isEqualTo("standard input: error: these are descriptors of Envoy's rate limit service, and no rules;"
                        + " check them with --descriptors" + EOL);
        assertThat(run("domain: shop\nrules: []", "check", "-").out()).contains("unknown field 'domain'");
    }

    @Test
    void rulesAmongDescriptorsAreTakenForWhatTheyAre() throws IOException {
        Path descriptors = descriptors("shop.yaml", SHOP);
        write(WRONG);
        Answer answer = run("", "check", "--descriptors", descriptors.toString(), file.toString());
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out())
                .isEqualTo(file
                        + ": error: these are rules, and no descriptors of Envoy's rate limit service; a daemon takes"
                        + " them by --rules, and check without --descriptors" + EOL);
    }

    @Test
    void descriptorsHaveNoService() {
        assertThat(run(SHOP, "check", "--descriptors", "--service", "shop", "-").err())
                .contains("--service is for rules, and --descriptors for descriptor files: name one");
    }

    private Path descriptors(String name, String content) throws IOException {
        Path file = folder.resolve("descriptors").resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, content);
    }

    @Test
    void aRequestIsExplained() {
        Answer answer = run("", "explain", file.toString(), "--request", "GET /api/orders user=alice");
        assertThat(answer.status()).isZero();
        assertThat(answer.out()).contains("limit 3 per 1s: 3 left, passes", "outcome: passes, within all limits");
    }

    @Test
    void theLastOfSeveralRequestsIsExplained() {
        String[] request = {"explain", file.toString(), "--request", "GET /api/orders user=alice", "--times"};
        assertThat(run("", with(request, "3")).status()).isZero();
        Answer answer = run("", with(request, "4"));
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).contains("limit 3 per 1s: 0 left, exceeded", "outcome: refused by everyone");
    }

    @Test
    void rulesThatChargeByTheResponseAreExplainedByTheStatus() {
        String[] request = {"explain", file.toString(), "--request", "POST /login user=alice", "--times", "2"};
        assertThat(run("", request).status()).isZero();
        assertThat(run("", with(request, "--status", "401")).status()).isEqualTo(1);
    }

    @Test
    void rulesThatAreNotValidExplainNothing() throws IOException {
        write(WRONG);
        Answer answer = run("", "explain", file.toString(), "--request", "GET /api/orders");
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err().lines()).hasSize(2).allMatch(line -> line.startsWith(file + ":"));
    }

    @Test
    void twoFilesAreCompared() throws IOException {
        Path other = folder.resolve("new.yaml");
        Files.writeString(other, RULES.replace("3/s", "4/s"));
        Answer answer = run("", "diff", file.toString(), other.toString());
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out())
                .startsWith("--- " + file + "\n+++ " + other + "\n@@ -2,7 +2,7 @@\n rules:\n")
                .contains("\n-    limits: 3/s\n+    limits: 4/s\n")
                .endsWith("\nchanged: everyone" + System.lineSeparator());
        assertThat(run(RULES, "diff", "-", file.toString())).isEqualTo(new Answer(0, "", ""));
    }

    @Test
    void whatIsNoRulesIsComparedByLines() throws IOException {
        Answer answer = run(WRONG, "diff", file.toString(), "-");
        assertThat(answer.status()).isEqualTo(1);
        assertThat(answer.out()).contains("+    limit: 3/s").doesNotContain("changed");
        assertThat(answer.err()).startsWith("standard input holds no valid rules");
        assertThat(run("", "diff", file.toString(), folder.toString()).status()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "chek",
                "check",
                "check --strickt FILE",
                "diff FILE",
                "explain FILE",
                "explain FILE --request GET",
                "explain FILE --request GET,/ --times 0",
                "explain FILE --request GET,/ --status 20"
            })
    void wrongUseIsSaidInALine(String line) {
        String[] arguments = line.isEmpty() ? new String[0] : line.split(" ");
        for (int i = 0; i < arguments.length; i++) {
            arguments[i] = arguments[i].replace("FILE", file.toString()).replace(',', ' ');
        }
        Answer answer = run("", arguments);
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.out()).isEmpty();
        assertThat(answer.err().lines())
                .singleElement()
                .asString()
                .matches("ratelimit-server: .*--help shows the flags\\)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "daemon --grpcport 8081 | '--grpc-port'",
                "daemon --descriptor DIR | '--descriptors'",
                "rules --prot=8080 | '--port'",
                "check --jsn FILE | '--json'",
                "push FILE --dryrun | '--dry-run'",
                "--hlep | '--help'",
                "deamon --rules FILE | 'daemon'",
            })
    void aMisspeltWordIsAnsweredByTheNearestRightOne(String line, String right) {
        Answer answer = run("", line.split(" "));
        assertThat(answer.status()).isEqualTo(2);
        assertThat(answer.err().lines()).singleElement().asString().contains("; did you mean " + right + "?");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "daemon --grpcport 8081 | Unknown option: '--grpcport'; did you mean '--grpc-port'? (",
                "daemon --grpcport=8081 | Unknown option: '--grpcport'; did you mean '--grpc-port'? (",
                "daemon --prot -1 | Unknown option: '--prot'; did you mean '--port'? (",
                "daemon --prot 1 --frobnicate x | Unknown options: '--prot'; did you mean '--port'?, '--frobnicate' (",
            })
    void theValueOfAnUnknownOptionIsNoOption(String line, String message) {
        assertThat(run("", line.split(" ")).err()).startsWith("ratelimit-server: " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"daemon --frobnicate", "frobnicate"})
    void aWordThatIsLikeNoOtherIsAnsweredByNone(String line) {
        assertThat(run("", line.split(" ")).err()).contains("frobnicate").doesNotContain("did you mean");
    }

    @Test
    void helpIsNoError() {
        assertThat(run("", "--help").out()).contains("check", "explain", "diff");
        Answer answer = run("", "explain", "--help");
        assertThat(answer.status()).isZero();
        assertThat(answer.out()).contains("--request=REQUEST", "--times=N");
    }

    private void write(String rules) throws IOException {
        Files.writeString(file, rules);
    }

    private static String[] with(String[] arguments, String... more) {
        String[] all = Arrays.copyOf(arguments, arguments.length + more.length);
        System.arraycopy(more, 0, all, arguments.length, more.length);
        return all;
    }

    private static Answer run(String in, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int status = RatelimitServer.commandLine(
                        new Terminal(
                                new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
                                new PrintStream(out, true, Charset.defaultCharset()),
                                new PrintStream(err, true, Charset.defaultCharset())),
                        Map.of())
                .execute(arguments);
        return new Answer(status, out.toString(Charset.defaultCharset()), err.toString(Charset.defaultCharset()));
    }
}
