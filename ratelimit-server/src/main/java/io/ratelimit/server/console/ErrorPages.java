package io.ratelimit.server.console;

import jakarta.ws.rs.NotFoundException;

/** Makes pages of what went wrong. */
final class ErrorPages {

    private ErrorPages() {}

    /** What is thrown where a service has no rules in force. */
    static NotFoundException noRules(Visit visit) {
        return new NotFoundException(visit.service() + " has no rules in force. Publish some first.");
    }
}
