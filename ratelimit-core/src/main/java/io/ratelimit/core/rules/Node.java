package io.ratelimit.core.rules;

import java.util.List;

/** A part of a document, whatever its notation, and where it begins. */
public sealed interface Node {

    /**
     * Where the part begins.
     *
     * @return the line, from 1
     */
    int line();

    /**
     * Where the part begins.
     *
     * @return the column, from 1
     */
    int column();

    /**
     * A single value.
     *
     * @param text the value as written, so that a number is never rounded on its way
     * @param type what the notation takes the text for
     * @param line the line, from 1
     * @param column the column, from 1
     */
    record Scalar(String text, Type type, int line, int column) implements Node {

        /** What the notation takes the text for. */
        public enum Type {
            /** A text. */
            TEXT,
            /** A number without a fraction. */
            WHOLE_NUMBER,
            /** Another number. */
            OTHER_NUMBER,
            /** A truth value. */
            BOOLEAN,
            /** No value. */
            NULL
        }
    }

    /**
     * A list.
     *
     * @param items the items, in order
     * @param line the line, from 1
     * @param column the column, from 1
     */
    record Sequence(List<Node> items, int line, int column) implements Node {}

    /**
     * A mapping.
     *
     * @param entries the entries in the document's order; a key that stands twice is there twice
     * @param line the line, from 1
     * @param column the column, from 1
     */
    record Mapping(List<Entry> entries, int line, int column) implements Node {}

    /**
     * A key of a mapping and its value.
     *
     * @param key the key
     * @param line the key's line, from 1
     * @param column the key's column, from 1
     * @param value the value
     */
    record Entry(String key, int line, int column, Node value) {}
}
