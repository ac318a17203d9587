package io.ratelimit.server.web;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import io.ratelimit.server.web.RunningService.Answer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.schema.CoreSchema;

/** An OpenAPI document that answers are held against: no field of an answer may be missing in it. */
final class ApiDescription {

    private static final JsonSchemaFactory FACTORY = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012);
    private static final SchemaValidatorsConfig STRICT =
            SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();
    private static final Set<String> METHODS = Set.of("get", "put", "post", "delete");

    private final JsonNode root;

    ApiDescription(String yaml) {
        Object tree =
                new Load(LoadSettings.builder().setSchema(new CoreSchema()).build()).loadFromString(yaml);
        root = new ObjectMapper().valueToTree(tree);
        close(root.at("/components/schemas"));
        close(root.path("paths"));
    }

    /** Whoever writes a client may see more fields later; whoever writes the document must not forget one now. */
    private static void close(JsonNode schemas) {
        schemas.forEach(ApiDescription::close);
        if (schemas instanceof ObjectNode schema
                && schema.path("properties").isObject()
                && !schema.has("additionalProperties")) {
            schema.put("additionalProperties", false);
        }
    }

    JsonNode root() {
        return root;
    }

    /** Such as {@code GET /v1/services}. */
    Set<String> operations() {
        Set<String> operations = new TreeSet<>();
        for (Map.Entry<String, JsonNode> path : root.path("paths").properties()) {
            path.getValue().fieldNames().forEachRemaining(word -> {
                if (METHODS.contains(word)) {
                    operations.add(word.toUpperCase(Locale.ROOT) + " " + path.getKey());
                }
            });
        }
        return operations;
    }

    /** Which operation a request is for; empty where none is described. */
    Optional<String> operationOf(String method, String pathAndQuery) {
        String path = pathAndQuery.replaceFirst("\\?.*", "");
        return operations().stream()
                .filter(operation -> operation.startsWith(method + " "))
                .filter(operation -> path.matches(pattern(operation.substring(method.length() + 1))))
                .min(Comparator.comparingLong(
                        operation -> operation.chars().filter(c -> c == '{').count()));
    }

    private static String pattern(String template) {
        StringBuilder pattern = new StringBuilder();
        for (String part : template.split("(?<=})|(?=\\{)")) {
            pattern.append(part.startsWith("{") ? "[^/]+" : Pattern.quote(part));
        }
        return pattern.toString();
    }

    JsonNode operation(String operation) {
        String[] words = operation.split(" ", 2);
        return root.path("paths").path(words[1]).path(words[0].toLowerCase(Locale.ROOT));
    }

    /** Fails unless the answer is one that the operation may give. */
    void check(String operation, Answer answer) {
        JsonNode responses = operation(operation).path("responses");
        String status = Integer.toString(answer.status());
        if (answer.status() < 400) {
            assertThat(responses.has(status))
                    .as(operation + " answers " + answer)
                    .isTrue();
        }
        JsonNode response = resolved(responses.path(responses.has(status) ? status : "default"));
        for (Map.Entry<String, JsonNode> header : response.path("headers").properties()) {
            check(operation + " " + header.getKey(), resolved(header.getValue()), answer.header(header.getKey()));
        }
        String type = answer.header("Content-Type").replaceFirst(";.*", "");
        if (type.isEmpty()) {
            assertThat(answer.body()).as(operation).isEmpty();
            assertThat(response.has("content")).as(operation + " " + answer).isFalse();
            return;
        }
        JsonNode media = response.path("content").path(type);
        assertThat(media.isMissingNode()).as(operation + " answers " + answer).isFalse();
        check(operation, media.path("schema"), type.endsWith("json") ? answer.json() : text(answer.body()));
    }

    private void check(String place, JsonNode header, String value) {
        if (!value.isEmpty() || header.path("required").asBoolean()) {
            check(place, header.path("schema"), text(value));
        }
    }

    /** Fails unless a value is one of a schema of the document. */
    void check(String place, JsonNode schema, JsonNode value) {
        ObjectNode whole = schema.deepCopy();
        whole.set("components", root.path("components"));
        assertThat(FACTORY.getSchema(whole, STRICT).validate(value))
                .as(place + ": " + value)
                .isEmpty();
    }

    JsonNode schema(String name) {
        return root.at("/components/schemas").path(name);
    }

    /** An example with its schema, and where it stands. */
    record Example(String place, JsonNode schema, JsonNode value) {}

    List<Example> examples() {
        List<Example> found = new ArrayList<>();
        addExamples("", root, found);
        return found;
    }

    private static void addExamples(String place, JsonNode node, List<Example> found) {
        if (node.has("example") && node.has("schema")) {
            found.add(new Example(place, node.get("schema"), node.get("example")));
        }
        for (Map.Entry<String, JsonNode> child : node.properties()) {
            addExamples(place + "/" + child.getKey(), child.getValue(), found);
        }
    }

    private JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? root.at(node.get("$ref").asText().substring(1)) : node;
    }

    private static JsonNode text(String text) {
        return new ObjectMapper().getNodeFactory().textNode(text);
    }
}
