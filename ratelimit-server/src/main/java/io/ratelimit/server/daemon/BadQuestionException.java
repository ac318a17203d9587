package io.ratelimit.server.daemon;

/** A request that says nothing that could be answered; the message is for whoever sent it. */
final class BadQuestionException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final int status;

    BadQuestionException(String message) {
        this(400, message);
    }

    BadQuestionException(int status, String message) {
        super(message, null, false, false);
        this.status = status;
    }

    int status() {
        return status;
    }
}
