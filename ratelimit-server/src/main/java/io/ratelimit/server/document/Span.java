package io.ratelimit.server.document;

/**
 * Where a value stands in a text.
 *
 * @param start the offset of its first character, where it has properties such as an anchor, of these
 * @param end the offset behind its last character; comments and blanks behind it are no part of it
 * @param line the line, from 1
 * @param column the column, from 1
 * @param isFlow whether it is a list or mapping in brackets or braces
 */
record Span(int start, int end, int line, int column, boolean isFlow) {

    boolean holds(int offset) {
        return start <= offset && offset < end;
    }
}
