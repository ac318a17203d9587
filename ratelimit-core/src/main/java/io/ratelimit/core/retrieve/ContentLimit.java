package io.ratelimit.core.retrieve;

import java.io.IOException;

/** The size up to which rules are read; far above any real rules, far below what would hurt the host. */
final class ContentLimit {

    static final int BYTES = 4 << 20;

    private ContentLimit() {}

    static IOException exceeded(String location) {
        return new IOException(location + ": is larger than 4 MiB, which no rules file is: check the location");
    }
}
