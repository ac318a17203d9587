package io.ratelimit.core.retrieve;

import io.ratelimit.core.rules.RulesParser;
import java.io.IOException;

/** The size up to which rules are read: more could not be parsed. */
final class ContentLimit {

    static final int BYTES = RulesParser.MOST_BYTES;

    private ContentLimit() {}

    static IOException exceeded(String location) {
        return exceeded(location, "rules file");
    }

    static IOException exceeded(String location, String kind) {
        return new IOException(location + ": is larger than 4 MiB, which no " + kind + " is: check the location");
    }
}
