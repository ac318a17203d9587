package io.ratelimit.core.rules;

/**
 * What kind of document is read, for messages.
 *
 * @param name what people call one, such as {@code rules document}
 * @param least the fields that it has at least
 * @param example the fields that it begins with, with a value
 */
public record DocumentKind(String name, String least, String example) {

    SyntaxException empty() {
        return new SyntaxException(0, 0, "the document is empty; a " + name + " has at least " + least);
    }

    SyntaxException noMapping(Node root) {
        return new SyntaxException(
                root.line(), root.column(), "the document is no mapping; it begins with fields such as " + example);
    }
}
