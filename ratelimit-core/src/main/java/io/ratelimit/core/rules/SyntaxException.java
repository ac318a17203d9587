package io.ratelimit.core.rules;

/** A document that cannot be read as a tree of nodes at all. */
final class SyntaxException extends Exception {

    private static final long serialVersionUID = 1L;

    private final int line;
    private final int column;

    /** Line and column count from 1; both are 0 where the problem is not in one place. */
    SyntaxException(int line, int column, String message) {
        super(message);
        this.line = line;
        this.column = column;
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }
}
