package io.ratelimit.server.remote;

import java.util.List;

/** The service does not do what it was asked for, or is no rules service: asking again does not help. */
public final class ServiceRefusedException extends Exception {

    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial")
    private final List<String> errors;

    ServiceRefusedException(String message, List<String> errors) {
        super(message);
        this.errors = List.copyOf(errors);
    }

    /**
     * What is wrong in rules that were to be published.
     *
     * @return a line for each error; empty where something else is the matter
     */
    public List<String> errors() {
        return errors;
    }
}
