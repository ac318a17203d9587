package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaId;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SpecVersion;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** The schema that is published for editors knows the same fields as the parser, and judges documents as it does. */
class RulesSchemaTest {

    private static final Path ROOT = root();
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern YAML_BLOCK = Pattern.compile("(?m)^```yaml\\R(.*?)^```", Pattern.DOTALL);
    private static final Pattern VALID_FIELDS = Pattern.compile("valid fields are ([A-Za-z0-9, ]+)$");

    /** A rule set around the limits of one rule that may have every kind of them. */
    private static final String AROUND_LIMITS =
            "service: orders\nsharing: host\nrules:\n  - name: r\n    key: service\n    limits: ";

    /** A rule set around further fields of one rule. */
    private static final String AROUND_RULE = "service: orders\nrules:\n  - name: r\n    limits: 5/m\n    ";

    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);

    private final JsonNode schemaText = read(ROOT.resolve("docs/rules.schema.json"));
    private final JsonSchema schema = FACTORY.getSchema(schemaText);
    private final RulesParser parser = new RulesParser();

    @Test
    void theSchemaIsOneOfDraft202012() {
        JsonSchema ofSchemas = FACTORY.getSchema(SchemaLocation.of(SchemaId.V202012));

        assertThat(ofSchemas.validate(schemaText)).isEmpty();
        assertThat(schemaText.get("$schema").asText()).isEqualTo(SchemaId.V202012);
    }

    static Stream<String> documents() throws IOException {
        List<String> documents = new ArrayList<>();
        documents.add(Files.readString(ROOT.resolve("sample-app/src/main/resources/rules.yaml")));
        documents.add(RulesParserTest.EXAMPLE);
        for (String page : List.of("README.md", "docs/rules.md", "docs/identity.md", "docs/java.md")) {
            Matcher block = YAML_BLOCK.matcher(Files.readString(ROOT.resolve(page)));
            while (block.find()) {
                String text = block.group(1);
                if (text.startsWith("limits:")) {
                    documents.add(AROUND_LIMITS.replace("    limits: ", "") + text.indent(4));
                } else if (Pattern.compile("(?m)^service:").matcher(text).find()) {
                    documents.add(text);
                }
            }
        }
        return documents.stream();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void whatTheManualShowsIsValid(String document) {
        assertAccepted(document);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "20/s",
                "20 / second",
                "20/seconds burst 40",
                "5 per 15m",
                "5 per 15 minutes burst 9",
                "20/min",
                "5 per 15 mins",
                "20/sec burst 40",
                "5 per 2hrs",
                "{ tokens: 2, per: 30secs }",
                "500/h burst 1000",
                "5 per PT15M",
                "1 per PT0.0005S",
                "5 per P1M",
                "1/mo",
                "1 per year",
                "\" 7 per 2 weeks \"",
                "0",
                "\"0\"",
                "0/s",
                "[0]",
                "unlimited",
                "[unlimited]",
                "[20/s, 500/h, { tokens: 9, per: 1d }]",
                "{ tokens: 0, per: 1m }",
                "{ tokens: 0, per: 1m, algorithm: fixed-window }",
                "{ tokens: 0, algorithm: concurrency }",
                "{ tokens: 20, per: minute, burst: 5, algorithm: token-bucket, refill: greedy, align: client, precision: 1 }",
                "{ tokens: 20, per: 1h, burst: 40, refill: interval, align: clock, zone: Europe/Berlin }",
                "{ tokens: 20, per: 1h, burst: 40, algorithm: leaky-bucket }",
                "{ tokens: 20, per: 1h, burst: 40, algorithm: gcra, minInterval: 100ms }",
                "{ tokens: 20, per: P1M, algorithm: fixed-window, align: clock, zone: America/Argentina/Buenos_Aires }",
                "{ tokens: 20, per: 1d, algorithm: sliding-window-counter, align: clock }",
                "{ tokens: 20, per: 1h, algorithm: sliding-window-counter, precision: 60, chargeRefused: true }",
                "{ tokens: 20, per: 1h, algorithm: sliding-window-log, penalty: { after: 3, for: 10m } }",
                "{ tokens: 20, algorithm: concurrency }",
                "{ tokens: 20, burst: 100, algorithm: concurrency, adaptive: true }",
                "{ tokens: 20, per: 1s, burst: 5, algorithm: warm-up, warmUp: 30s }"
            })
    void aValidLimitIsValidUnderTheSchema(String limits) {
        assertAccepted(AROUND_LIMITS + limits + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "60",
                "-5",
                "0.5/s",
                "\"60\"",
                "true",
                "null",
                "[]",
                "[[5/s]]",
                "[5/s, 0]",
                "[5/s, unlimited]",
                "20/",
                "20/S",
                "20/15m",
                "20/minuet",
                "20/minu",
                "10,000/m",
                "5 per 0s",
                "5 per -1s",
                "5 per 1.5h",
                "5 per 15",
                "5 per PT",
                "20/s burst 0",
                "0/s burst 5",
                "1000000000000000/s",
                "{ per: 1m }",
                "{ tokens: 2 }",
                "{ tokens: -2, per: 1m }",
                "{ tokens: 0.5, per: 1m }",
                "{ tokens: \"2\", per: 1m }",
                "{ tokens: 1000000000000000, per: 1m }",
                "{ tokens: 2, per: 60 }",
                "{ tokens: 2, per: 0s }",
                "{ tokens: 2, per: 1m, burst: 0 }",
                "{ tokens: 2, per: 1m, bust: 3 }",
                "{ tokens: 0, per: 1m, burst: 1 }",
                "{ tokens: 0, per: 1m, minInterval: 1s }",
                "{ tokens: 2, per: 1m, algorithm: tokenbucket }",
                "{ tokens: 2, per: 1m, burst: 3, algorithm: fixed-window }",
                "{ tokens: 2, per: 1m, refill: slow }",
                "{ tokens: 2, per: 1m, refill: interval, algorithm: gcra }",
                "{ tokens: 2, per: 1m, align: clock }",
                "{ tokens: 2, per: 1m, align: clock, algorithm: sliding-window-log }",
                "{ tokens: 2, per: 1m, align: clock, precision: 6, algorithm: sliding-window-counter }",
                "{ tokens: 2, per: 1m, zone: UTC }",
                "{ tokens: 2, per: 1m, align: clock, zone: 1, algorithm: fixed-window }",
                "{ tokens: 2, per: 1m, align: clock, zone: \"+01:00\", algorithm: fixed-window }",
                "{ tokens: 2, per: 1m, precision: 6 }",
                "{ tokens: 2, per: 1m, precision: 0, algorithm: sliding-window-counter }",
                "{ tokens: 2, per: 1m, precision: 1001, algorithm: sliding-window-counter }",
                "{ tokens: 10001, per: 1m, algorithm: sliding-window-log }",
                "{ tokens: 2, per: 1m, minInterval: 0s }",
                "{ tokens: 2, per: 1m, minInterval: 100 }",
                "{ tokens: 2, per: 1m, chargeRefused: yes }",
                "{ tokens: 2, per: 1m, penalty: 3 }",
                "{ tokens: 2, per: 1m, penalty: { after: 3 } }",
                "{ tokens: 2, per: 1m, penalty: { after: 0, for: 10m } }",
                "{ tokens: 2, per: 1m, penalty: { after: 3, for: 10m, times: 2 } }",
                "{ tokens: 2, per: 1m, warmUp: 30s }",
                "{ tokens: 2, per: 1m, algorithm: warm-up }",
                "{ tokens: 2, per: 1m, algorithm: warm-up, warmUp: 30s, chargeRefused: true }",
                "{ tokens: 2, per: 1m, adaptive: true }",
                "{ tokens: 2, per: 1m, algorithm: concurrency }",
                "{ tokens: 2, burst: 3, algorithm: concurrency }",
                "{ tokens: 2, minInterval: 1s, algorithm: concurrency }",
                "{ tokens: 2, penalty: { after: 3, for: 10m }, algorithm: concurrency }"
            })
    void aWrongLimitIsWrongUnderTheSchemaToo(String limits) {
        assertRefused(AROUND_LIMITS + limits + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "limit: 5/s",
                "match: /x",
                "match: { method: GET }",
                "match: { methods: get }",
                "match: { path: x }",
                "match: { path: /a*b }",
                "match: { path: /a/../b }",
                "match: { user: 42 }",
                "match: { attributes: {} }",
                "key: usr",
                "key: []",
                "key: [user, service]",
                "key: [user, user]",
                "key: \"header:\"",
                "key: { any: [] }",
                "overrides: [{ unlimited: true }]",
                "overrides: [{ when: {}, unlimited: true }]",
                "overrides: [{ when: { user: ops } }]",
                "overrides: [{ when: { user: ops }, unlimited: false }]",
                "overrides: [{ when: { user: ops }, unlimited: true, limits: 1/s }]",
                "overrides: [{ when: { user: ops }, unlimied: true }]",
                "onExceeded: queue",
                "onExceeded: { status: 200 }",
                "onExceeded: { status: \"503\" }",
                "onExceeded: {}",
                "charge: request",
                "charge: {}",
                "charge: { when: response }",
                "charge: { when: response, status: [] }",
                "charge: { when: response, status: 99 }",
                "charge: { when: response, status: \"401\" }",
                "charge: { when: response, status: 6xx }",
                "charge: { when: request, status: 401 }",
                "sharing: eventually",
                "onFailure: shut",
                "storeTimeout: 20"
            })
    void aWrongRuleIsWrongUnderTheSchemaToo(String field) {
        assertRefused(AROUND_RULE + field + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "match: { path: [/, /a/b, \"/**/x\", \"/u/{id}/*\"], methods: [GET, POST], ip: \"2001:db8::/32\" }",
                "match: { attributes: { tier: [gold, 1, 1.5, true], region: eu } }",
                "key: [service]",
                "key: { any: \"header:X-Api-Key\" }",
                "key: [\"attribute:tenant id\", \"cookie:s\"]",
                "overrides: []",
                "overrides: [{ when: { user: ops }, unlimited: true }, { when: { ip: 192.0.2.7 }, limits: 0 }]",
                "onExceeded: shadow",
                "onExceeded: { status: 503 }",
                "charge: { when: response, status: 401 }",
                "charge: { when: response, status: [401, 5xx] }",
                "storeTimeout: PT0.05S"
            })
    void aValidRuleIsValidUnderTheSchema(String field) {
        assertAccepted(AROUND_RULE + field + "\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rules: []",
                "service: orders",
                "service: a b\nrules: []",
                "service: orders\nrules: {}",
                "service: orders\nrules: []\nsevice: x",
                "service: orders\nrules: []\nclients: []",
                "service: orders\nrules: []\nclients: [user, user]",
                "service: orders\nrules: []\ntrustedProxies: [localhost]",
                "service: orders\nrules: []\nforwardedHeader: X-Forwarded-For",
                "service: orders\nrules: []\nipv6Prefix: 129",
                "service: orders\nrules: []\nexempt: [{}]",
                "service: orders\nrules: []\nexempt: [{ cost: 1 }]",
                "service: orders\nrules: []\ncosts: [{ path: /x }]",
                "service: orders\nrules: []\ncosts: [{ cost: -1 }]",
                "service: orders\nrules: []\ncosts: [{ resolver: a b }]",
                "service: orders\nrules: [{ limits: 1/s }]",
                "service: orders\nrules: [{ name: a/b, limits: 1/s }]",
                "service: orders\nrules: [{ name: r }]",
                "service: orders\nrules: [{ name: r, limits: { tokens: 5, algorithm: concurrency } }]",
                "service: orders\nsharing: exact\nrules: [{ name: r, limits: [9/s, { tokens: 5, algorithm: concurrency }] }]",
                "service: orders\nsharing: host\nrules: [{ name: r, sharing: exact, limits: { tokens: 5, algorithm: concurrency } }]",
                "service: orders\nrules: [{ name: r, limits: 9/s, overrides: [{ when: { user: ops }, limits: { tokens: 5, per: 1s, algorithm: warm-up, warmUp: 1m } }] }]",
                "service: orders\nsharing: host\nrules: [{ name: r, limits: { tokens: 5, algorithm: concurrency, adaptive: true } }]",
                "service: orders\nsharing: host\nrules: [{ name: r, key: ip, limits: { tokens: 5, algorithm: concurrency, adaptive: true } }]"
            })
    void aWrongRuleSetIsWrongUnderTheSchemaToo(String document) {
        assertRefused(document + "\n");
    }

    /** Each kind of mapping, with a field that nobody knows, and where the schema has its fields. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rules: [], xyzzy: 1|",
                "rules: [{ name: r, limits: 1/s, xyzzy: 1 }]|/$defs/rule",
                "rules: [], exempt: [{ path: /x, xyzzy: 1 }]|/$defs/condition",
                "rules: [], costs: [{ cost: 1, xyzzy: 1 }]|/$defs/cost",
                "rules: [{ name: r, limits: 1/s, overrides: [{ when: { user: x }, limits: 1/s, xyzzy: 1 }] }]|/$defs/override",
                "rules: [{ name: r, limits: { tokens: 1, per: 1s, xyzzy: 1 } }]|/$defs/limit",
                "rules: [{ name: r, limits: { tokens: 1, per: 1s, penalty: { after: 1, for: 1s, xyzzy: 1 } } }]|/$defs/limit/properties/penalty",
                "rules: [{ name: r, limits: 1/s, key: { any: user, xyzzy: 1 } }]|/$defs/rule/properties/key/anyOf/4",
                "rules: [{ name: r, limits: 1/s, onExceeded: { status: 503, xyzzy: 1 } }]|/$defs/rule/properties/onExceeded/anyOf/1",
                "rules: [{ name: r, limits: 1/s, charge: { when: response, status: 401, xyzzy: 1 } }]|/$defs/rule/properties/charge/anyOf/1"
            })
    void theSchemaAndTheParserKnowTheSameFields(String fields, String pointer) {
        RulesException refused = refusal("{ service: orders, " + fields + " }");
        Matcher known = VALID_FIELDS.matcher(refused.problems().get(0).message());
        JsonNode mapping = schemaText.at(pointer == null ? "" : pointer);

        assertThat(refused.problems()).hasSize(1);
        assertThat(known.find()).isTrue();
        assertThat(mapping.get("properties").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder(known.group(1).split(", "));
        assertThat(mapping.get("additionalProperties").asBoolean(true)).isFalse();
    }

    private void assertAccepted(String document) {
        assertThatCode(() -> parser.parse(document(document))).doesNotThrowAnyException();
        assertThat(schema.validate(tree(document))).isEmpty();
    }

    private void assertRefused(String document) {
        refusal(document);
        assertThat(schema.validate(tree(document))).isNotEmpty();
    }

    private RulesException refusal(String document) {
        RulesException refused = catchThrowableOfType(RulesException.class, () -> parser.parse(document(document)));
        assertThat(refused).as("the document is refused: %s", document).isNotNull();
        return refused;
    }

    private static RulesDocument document(String text) {
        // A first character { would make it JSON.
        return new RulesDocument("rules.yaml", ("# rules\n" + text).getBytes(StandardCharsets.UTF_8), "tag", 1);
    }

    private static JsonNode tree(String document) {
        LoadSettings settings =
                LoadSettings.builder().setSchema(new CoreSchema()).build();
        return JSON.valueToTree(new Load(settings).loadFromString(document));
    }

    private static JsonNode read(Path file) {
        try {
            return JSON.readTree(file.toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The directory that holds all modules, wherever the test is run from. */
    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
