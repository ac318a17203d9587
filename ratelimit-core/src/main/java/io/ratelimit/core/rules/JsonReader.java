package io.ratelimit.core.rules;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import java.io.IOException;
import java.util.regex.Pattern;

/** Reads one JSON document (RFC 8259). */
final class JsonReader {

    private static final int LONGEST_MESSAGE = 300;
    private static final Pattern LIBRARY_LOCATION =
            Pattern.compile("\\[Source: [^;]*; line: ([0-9]+), column: [0-9]+]");

    // Its table of names would only remember what strangers send, its pool stay behind in threads that are not ours.
    final JsonFactory factory = JsonFactory.builder()
            .recyclerPool(JsonRecyclerPools.nonRecyclingPool())
            .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
            .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
            .build();

    private final DocumentKind kind;

    JsonReader(DocumentKind kind) {
        this.kind = kind;
    }

    Node read(String text) throws SyntaxException {
        TreeBuilder tree = new TreeBuilder();
        try (JsonParser parser = factory.createParser(text)) {
            while (parser.nextToken() != null) {
                if (tree.root() != null) {
                    throw at(
                            parser,
                            "the document goes on after its end; a " + kind.name() + " is a single JSON object");
                }
                handle(parser, tree);
            }
        } catch (JsonProcessingException e) {
            throw unreadable(e);
        } catch (IOException | RuntimeException e) {
            // Reading from memory does not fail; a defect of the parser must not get past us either.
            throw new SyntaxException(0, 0, "the document is not JSON: " + oneLine(String.valueOf(e.getMessage())));
        }
        Node root = tree.root();
        if (root == null) {
            throw kind.empty();
        }
        return root;
    }

    private static void handle(JsonParser parser, TreeBuilder tree) throws IOException, SyntaxException {
        JsonLocation place = parser.currentTokenLocation();
        int line = place.getLineNr();
        int column = place.getColumnNr();
        JsonToken token = parser.currentToken();
        switch (token) {
            case START_OBJECT, START_ARRAY -> tree.begin(token == JsonToken.START_OBJECT, null, line, column);
            case END_OBJECT, END_ARRAY -> tree.end();
            case FIELD_NAME -> tree.key(parser.currentName(), line, column);
            default -> tree.scalar(parser.getText(), type(token), null, line, column);
        }
    }

    private static Node.Scalar.Type type(JsonToken token) {
        return switch (token) {
            case VALUE_NUMBER_INT -> Node.Scalar.Type.WHOLE_NUMBER;
            case VALUE_NUMBER_FLOAT -> Node.Scalar.Type.OTHER_NUMBER;
            case VALUE_TRUE, VALUE_FALSE -> Node.Scalar.Type.BOOLEAN;
            case VALUE_NULL -> Node.Scalar.Type.NULL;
            default -> Node.Scalar.Type.TEXT;
        };
    }

    private static SyntaxException at(JsonParser parser, String message) {
        JsonLocation place = parser.currentTokenLocation();
        return new SyntaxException(place.getLineNr(), place.getColumnNr(), message);
    }

    private static SyntaxException unreadable(JsonProcessingException e) {
        JsonLocation place = e.getLocation();
        String problem = LIBRARY_LOCATION.matcher(e.getOriginalMessage()).replaceAll(found -> "line " + found.group(1));
        return new SyntaxException(
                place == null ? 0 : place.getLineNr(),
                place == null ? 0 : place.getColumnNr(),
                "the document is not JSON, which it must be as it begins with '{': " + oneLine(problem));
    }

    private static String oneLine(String message) {
        return Printable.escaped(Printable.shortened(message, LONGEST_MESSAGE));
    }
}
