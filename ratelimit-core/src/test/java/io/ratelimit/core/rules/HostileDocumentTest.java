package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What cannot be read at all, by accident or on purpose: one clear line, in little time. */
class HostileDocumentTest {

    private static final int MEBIBYTE = 1 << 20;
    private static final Duration LITTLE = Duration.ofSeconds(10);
    private static final String JSON = """
            { "service": "orders", "clients": ["user", "ip"],
              "rules": [ { "name": "a", "match": { "path": "/a/**" }, "limits": ["20/s burst 40", 0.5] } ] }
            """.replace(", 0.5", "");

    private final RulesParser parser = new RulesParser();

    @ParameterizedTest
    @ValueSource(
            strings = {"", " ", "\n\n\t\r\n", "# only\n# comments\n", "---\n", "---\n...\n", "null", "~", "\uFEFF"})
    void nothingIsNoRules(String text) {
        assertThat(onlyProblem(text).message()).startsWith("the document is empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "42", "[1, 2]", "- a\n- b\n", "true", "\"quoted\"", "---\n- x"})
    void aDocumentThatIsNoMappingIsRefused(String text) {
        assertThat(onlyProblem(text).message()).startsWith("the document is no mapping");
    }

    @Test
    void moreThanFourMebibytesAreRefusedUnread() {
        RuleProblem problem = onlyProblem(new byte[4 * MEBIBYTE + 1]);

        assertThat(problem.message()).contains("4194305 bytes").contains("at most 4194304 (4 MiB)");
    }

    @ParameterizedTest
    @ValueSource(strings = {"UTF-16", "UTF-16LE", "UTF-16BE", "UTF-32LE"})
    void utf16IsNamed(String charset) {
        byte[] content = RulesParserTest.EXAMPLE.getBytes(Charset.forName(charset));

        assertThat(onlyProblem(content).message()).isEqualTo("the document is in UTF-16 or UTF-32; save it in UTF-8");
    }

    @Test
    void aByteThatIsNotUtf8IsNamedWithItsOffset() {
        byte[] content = "service: orders\nrules: [] # caf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1);

        RuleProblem problem = onlyProblem(content);

        assertThat(problem.message()).contains("not in UTF-8: the byte 0xE9 at offset 31");
        assertThat(problem.line()).isEqualTo(2);
        assertThat(problem.column()).isEqualTo(16);
    }

    @Test
    void aDocumentCutWithinACharacterIsNotUtf8() {
        byte[] content = new byte[] {'a', ':', ' ', (byte) 0xE2, (byte) 0x82};

        assertThat(onlyProblem(content).message()).contains("0xE2 at offset 3");
    }

    @ParameterizedTest
    @CsvSource({
        "'service: o\u0000rders', 1, 11, U+0000",
        "'# x\r\na: \u0007', 2, 4, U+0007",
        "'{\n \"a\": \"\u001b\"}', 2, 8, U+001B",
        "'a: \u0080', 1, 4, U+0080",
        "'a: 1\rb: \u0007', 2, 4, U+0007"
    })
    void aControlCharacterIsNamedWithItsPlace(String text, int line, int column, String name) {
        RuleProblem problem = onlyProblem(text);

        assertThat(problem.message()).contains("the control character " + name);
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.column()).isEqualTo(column);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "service: [a|1|not YAML: expected ',' or ']'",
                "service: \"a|1|not YAML: found unexpected end of stream",
                "key: header: X-Api-Key|1|not YAML: mapping values are not allowed here; put identities and other texts with a colon in quotes",
                "a:\\n\\tb: c|2|not YAML: found character",
                "a: 1\\n b: 2|2|or look at the indentation",
                "rules:\\n  - a: 1\\n    b: 2\\n - c: 3|4|look at the indentation: what belongs together begins in the same column",
                "a: @b|1|not YAML: found character '@'",
                "a: &x [*x]|1|the alias '*x' stands for nothing",
                "a: &x { b: { c: *x } }|1|the alias '*x' stands for nothing",
                "a: *nowhere|1|the alias '*nowhere' stands for nothing",
                "a: &x 1\\nb: &x [*x]|2|the alias '*x' stands for nothing",
                "a: !!javax.script.ScriptEngineManager [x]|1|the tag 'tag:yaml.org,2002:javax.script.ScriptEngineManager' is not allowed",
                "a: !!str b|1|the tag 'tag:yaml.org,2002:str' is not allowed",
                "!!map a: b|1|is not allowed",
                "!!map { a: b }|1|the tag 'tag:yaml.org,2002:map' is not allowed",
                "a: !x [1]|1|the tag '!x' is not allowed",
                "a: 1\\n---\\nb: 2|2|a second YAML document begins here",
                "a: 1\\n...\\n---\\nb: 2|3|a second YAML document begins here",
                "? [a]\\n: b|1|a key of a mapping must be a plain text",
                "a: &x y\\n*x : 1|2|a key of a mapping must be a plain text",
                "&x a: 1|1|a key of a mapping takes no anchor",
                "{|1|not JSON, which it must be as it begins with '{'",
                "{a: b}|1|not JSON",
                "{\"a\": 1,}|1|not JSON",
                "{\"a\": 01}|1|not JSON",
                "{\"a\": NaN}|1|not JSON",
                "{\"a\": 'b'}|1|not JSON",
                "{\"a\": 1} x|1|not JSON",
                "{\"a\": 1}\\n{\"b\": 1}|2|the document goes on after its end",
                "{\"a\": [1, 2}|1|not JSON",
                "\\n{\\n\"a\": [1,\\n|4|not JSON",
            })
    void whatCannotBeReadIsRefusedInOneLineWithItsPlace(String text, int line, String fragment) {
        RuleProblem problem = onlyProblem(text.replace("\\n", "\n").replace("\\t", "\t"));

        assertThat(problem.message())
                .contains(fragment)
                .doesNotContain("\n", "Source:")
                .hasSizeLessThan(450);
        assertThat(problem.line()).isEqualTo(line);
        assertThat(problem.field()).isNull();
    }

    static Stream<Arguments> bombs() {
        String mebibytes = "x".repeat(4 * MEBIBYTE - 100);
        return Stream.of(
                Arguments.of("an alias bomb", laughs(), "too large"),
                Arguments.of("an alias bomb of mappings", mappingLaughs(), "too large"),
                Arguments.of("a deep flow list", "a: " + "[".repeat(4 * MEBIBYTE - 10), "nested too deeply"),
                Arguments.of("a deep flow mapping", "a: " + "{a: ".repeat(MEBIBYTE - 10), "nested too deeply"),
                Arguments.of("a deep block list", "- ".repeat(2 * MEBIBYTE - 10), "nested too deeply"),
                Arguments.of("deep explicit keys", "? ".repeat(2 * MEBIBYTE - 10), "a key of a mapping"),
                Arguments.of("a deep indented mapping", indented(), "nested too deeply"),
                Arguments.of("deep JSON lists", "{\"a\":" + "[".repeat(4 * MEBIBYTE - 10), "nested too deeply"),
                Arguments.of("deep JSON objects", "{\"a\":".repeat(800_000), "nested too deeply"),
                Arguments.of("many YAML values", "a: [" + "1,".repeat(2 * MEBIBYTE - 10) + "1]", "too large"),
                Arguments.of("many JSON values", "{\"a\": [" + "1,".repeat(2 * MEBIBYTE - 10) + "1]}", "too large"),
                Arguments.of("a huge plain scalar", "a: " + mebibytes, "a value has at most 4096"),
                Arguments.of("a huge quoted scalar", "a: \"" + mebibytes + "\"", "a value has at most 4096"),
                Arguments.of("a huge block scalar", "a: |\n  " + mebibytes, "a value has at most 4096"),
                Arguments.of("a huge number", "a: " + "9".repeat(4 * MEBIBYTE - 10), "a value has at most 4096"),
                Arguments.of("a huge key", "? " + mebibytes + "\n: 1", "a value has at most 4096"),
                Arguments.of("a huge JSON text", "{\"a\": \"" + mebibytes + "\"}", "a value has at most 4096"),
                Arguments.of("a huge JSON number", "{\"a\": " + "9".repeat(4 * MEBIBYTE - 20) + "}", "not JSON"),
                Arguments.of("a huge JSON key", "{\"" + mebibytes + "\": 1}", "not JSON"),
                Arguments.of("a huge comment", "# " + mebibytes, "is empty"),
                Arguments.of("a huge tag", "a: !" + mebibytes + " b", "not allowed"),
                Arguments.of("a huge anchor", "a: &" + mebibytes + " b\nc: *d", "stands for nothing"),
                Arguments.of("blank lines", "\n".repeat(4 * MEBIBYTE), "is empty"),
                Arguments.of("many documents", "---\n".repeat(MEBIBYTE), "a second YAML document"),
                Arguments.of("many directives", "%X y\n".repeat(500_000), "not YAML"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    void aBombIsRefusedInOneLineInLittleTime(String name, String text, String fragment) {
        ProcessorTime time = ProcessorTime.start();
        RuleProblem problem = onlyProblem(text);

        assertThat(problem.message()).contains(fragment).hasSizeLessThan(450);
        assertThat(time.used()).isLessThan(LITTLE);
    }

    @Test
    void aFloodOfProblemsIsCutOff() throws Exception {
        StringBuilder text = new StringBuilder("service: orders\nrules:\n");
        for (int i = 0; i < 90_000; i++) {
            text.append("- ").append("abcdefghijklmnopqrstuvwxyz0123456789").append('\n');
        }
        ProcessorTime time = ProcessorTime.start();

        assertThat(problems(bytes(text.toString()))).hasSize(Problems.MOST);
        assertThat(time.used()).isLessThan(LITTLE);
    }

    @Test
    void manyUnknownFieldsAndManyRulesOfOneNameTakeLittleTime() throws Exception {
        StringBuilder text = new StringBuilder("service: orders\n");
        for (int i = 0; i < 90_000; i++) {
            text.append("abcdefghijklmnopqrstuvwxyz").append(i).append(": x\n");
        }
        ProcessorTime time = ProcessorTime.start();

        assertThat(problems(bytes(text.toString()))).hasSize(Problems.MOST);
        assertThat(time.used()).isLessThan(LITTLE);
    }

    @Test
    void manyLimitsOfOneRuleTakeLittleTime() throws Exception {
        String text = "service: o\nrules: [{ name: r, limits: [" + "1/s,".repeat(90_000) + "2/s] }]";
        ProcessorTime time = ProcessorTime.start();

        assertThat(problems(bytes(text))).hasSize(Problems.MOST);
        assertThat(time.used()).isLessThan(LITTLE);
    }

    @ParameterizedTest
    @MethodSource("goodDocuments")
    void everyCutOfAGoodDocumentIsReadOrRefused(String good) {
        byte[] whole = bytes(good);
        int refused = 0;
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            refused += isRefused(cut) ? 1 : 0;
        }
        assertThat(refused).isGreaterThan(whole.length / 4);
    }

    @Test
    void everyCutOfAJsonDocumentIsRefused() {
        byte[] whole = bytes(JSON.strip());
        for (int length = 0; length < whole.length; length++) {
            assertThat(isRefused(Arrays.copyOf(whole, length))).isTrue();
        }
        assertThat(isRefused(whole)).isFalse();
    }

    @Property(tries = 2_000)
    void aDamagedDocumentIsReadOrRefused(@ForAll long seed, @ForAll boolean json) {
        byte[] damaged = damaged(bytes(json ? JSON : RulesParserTest.EXAMPLE), new Random(seed));
        ProcessorTime time = ProcessorTime.start();

        isRefused(damaged);

        assertThat(time.used()).isLessThan(LITTLE);
    }

    @Property(tries = 2_000)
    void anyBytesAreReadOrRefused(@ForAll byte[] content) {
        isRefused(content);
    }

    @Property(tries = 2_000)
    void anyTextIsReadOrRefused(@ForAll String text) {
        isRefused(bytes(text));
    }

    static Stream<String> goodDocuments() {
        return Stream.of(RulesParserTest.EXAMPLE, JSON);
    }

    /** Cuts out, doubles, swaps in or moves a few stretches of bytes. */
    private static byte[] damaged(byte[] good, Random random) {
        byte[] bytes = good;
        for (int i = random.nextInt(4); i >= 0; i--) {
            int from = random.nextInt(bytes.length + 1);
            int length = Math.min(random.nextInt(20), bytes.length - from);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            out.write(bytes, 0, from);
            switch (random.nextInt(4)) {
                case 0 -> {}
                case 1 -> {
                    out.write(bytes, from, length);
                    out.write(bytes, from, length);
                }
                case 2 -> out.write(random.nextInt(256));
                default -> {
                    int other = random.nextInt(bytes.length + 1);
                    out.write(bytes, other, Math.min(length, bytes.length - other));
                }
            }
            out.write(bytes, from + length, bytes.length - from - length);
            bytes = out.toByteArray();
        }
        return bytes;
    }

    private static String laughs() {
        StringBuilder text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for (int i = 1; i < 30; i++) {
            text.append("a").append(i).append(": &a").append(i).append(" [");
            text.append(("*a" + (i - 1) + ", ").repeat(9))
                    .append("*a")
                    .append(i - 1)
                    .append("]\n");
        }
        return text.toString();
    }

    private static String mappingLaughs() {
        StringBuilder text = new StringBuilder("a0: &a0 { x: y }\n");
        for (int i = 1; i < 100; i++) {
            text.append(String.format("a%d: &a%d { l: *a%d, r: *a%d }%n", i, i, i - 1, i - 1));
        }
        return text.toString();
    }

    private static String indented() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 2_000; i++) {
            text.append(" ".repeat(i)).append("a:\n");
        }
        return text.toString();
    }

    private boolean isRefused(byte[] content) {
        try {
            parser.parse(new RulesDocument("rules.yaml", content, "tag", 1));
            return false;
        } catch (RulesException e) {
            assertThat(e.problems()).isNotEmpty();
            return true;
        }
    }

    private RuleProblem onlyProblem(String text) {
        return onlyProblem(bytes(text));
    }

    private RuleProblem onlyProblem(byte[] content) {
        List<RuleProblem> problems = problems(content);
        assertThat(problems).hasSize(1);
        return problems.get(0);
    }

    private List<RuleProblem> problems(byte[] content) {
        RulesException refused = catchThrowableOfType(
                RulesException.class, () -> parser.parse(new RulesDocument("rules.yaml", content, "tag", 1)));
        assertThat(refused).as("the document is refused").isNotNull();
        return refused.problems();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
