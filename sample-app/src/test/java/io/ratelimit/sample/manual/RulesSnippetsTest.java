package io.ratelimit.sample.manual;

import static org.assertj.core.api.Assertions.assertThat;

import com.hazelcast.client.config.YamlClientConfigBuilder;
import com.hazelcast.config.Config;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The YAML and JSON of the manual are read by what they are for: the limiter, or Hazelcast. */
class RulesSnippetsTest {

    private static final Pattern FIRST_WORD = Pattern.compile("^ *(-|[\\w-]+(?=:))", Pattern.MULTILINE);

    private final RulesParser parser = new RulesParser();

    static List<Snippet> yaml() throws IOException {
        return Manual.snippets("yaml");
    }

    static List<Snippet> json() throws IOException {
        return Manual.snippets("json");
    }

    @ParameterizedTest
    @MethodSource("yaml")
    void whatBeginsAFragmentTellsWhatReadsIt(Snippet snippet) throws Exception {
        String text = snippet.text();
        Matcher first = FIRST_WORD.matcher(text);
        assertThat(first.find())
                .as("%s begins with a field or an item", snippet)
                .isTrue();
        switch (first.group(1)) {
            case "service" -> rules(snippet, text);
            case "rules" -> rules(snippet, "service: orders\n" + text);
            case "-" -> rules(snippet, "service: orders\nrules:\n" + text);
            case "costs" -> rules(snippet, "service: orders\n" + text + "rules: [{ name: all, limits: 1/s }]\n");
            case "key", "limits", "sharing" ->
                rules(snippet, "service: orders\nrules:\n  - name: all\n" + text.indent(4));
            case "overrides" ->
                rules(snippet, "service: orders\nrules:\n  - name: all\n    limits: 1/s\n" + text.indent(4));
            case "hazelcast" -> Config.loadFromString(text);
            case "hazelcast-client" ->
                new YamlClientConfigBuilder(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))).build();
            case "client-server-socket-endpoint-config" ->
                Config.loadFromString("hazelcast:\n  advanced-network:\n    enabled: true\n" + text);
            case "domain", "static_resources" -> {
                // Read by the server's tests, which have Envoy's messages.
                assertThat(snippet.toString()).startsWith("docs/envoy.md");
            }
            default -> throw new AssertionError(snippet + ": nobody reads what begins with " + first.group(1));
        }
    }

    @ParameterizedTest
    @MethodSource("json")
    void jsonIsReadAsRules(Snippet snippet) throws Exception {
        rules(snippet, snippet.text());
    }

    private void rules(Snippet snippet, String document) throws RulesException {
        byte[] content = document.getBytes(StandardCharsets.UTF_8);
        RuleSet rules = parser.parse(new RulesDocument(snippet.toString(), content, "manual", 1));
        assertThat(rules.rules()).as("%s", snippet).isNotEmpty();
    }
}
