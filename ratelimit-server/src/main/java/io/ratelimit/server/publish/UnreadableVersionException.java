package io.ratelimit.server.publish;

import io.ratelimit.server.rules.RulesVersion;

/** The rules in force, valid when they were published, cannot be read any more. */
public final class UnreadableVersionException extends RuntimeException {

    private static final long serialVersionUID = 1;

    UnreadableVersionException(RulesVersion version) {
        super("version " + version.number() + " of '" + version.service()
                + "' was valid when it was published and is not any more: publish rules that are");
    }
}
