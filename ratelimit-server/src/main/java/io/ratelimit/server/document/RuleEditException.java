package io.ratelimit.server.document;

/** A rule could not be changed on its own; the document is as it was. */
public final class RuleEditException extends Exception {

    private static final long serialVersionUID = 1L;

    /** Why not. */
    public enum Reason {
        /** The document has no rule of this name. */
        NO_SUCH_RULE,
        /** The document has another rule of the new rule's name. */
        NAME_TAKEN,
        /** Something in the rule is used elsewhere in the document, by an alias. */
        USED_ELSEWHERE,
        /** The document is written in a way in which a single rule cannot be told from the rest with certainty. */
        LAYOUT
    }

    private final Reason reason;

    RuleEditException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /**
     * Why the rule could not be changed.
     *
     * @return the reason; the message says what would help
     */
    public Reason reason() {
        return reason;
    }
}
