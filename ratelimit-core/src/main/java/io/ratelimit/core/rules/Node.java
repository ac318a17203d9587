package io.ratelimit.core.rules;

import java.util.List;

/** A part of a document, whatever its notation, and where it begins: line and column, from 1. */
sealed interface Node {

    int line();

    int column();

    /** A single value. The text is kept as written, so that a number is never rounded on its way. */
    record Scalar(String text, Type type, int line, int column) implements Node {

        /** What the notation takes the text for. */
        enum Type {
            TEXT,
            WHOLE_NUMBER,
            OTHER_NUMBER,
            BOOLEAN,
            NULL
        }
    }

    /** A list. */
    record Sequence(List<Node> items, int line, int column) implements Node {}

    /** A mapping in the document's order. A key that stands twice is there twice. */
    record Mapping(List<Entry> entries, int line, int column) implements Node {}

    /** A key of a mapping, where it stands, and its value. */
    record Entry(String key, int line, int column, Node value) {}
}
