package io.ratelimit.client;

import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a process decides by itself.
 *
 * @param lastGoodFile where rules are kept for the next start, or null for the engine's default
 * @param mostClients how many buckets it keeps, at least 1
 * @param pollInterval how often it asks for the rules, or null for the engine's default
 */
record LocalSettings(
        @Nullable Path lastGoodFile,
        int mostClients,
        @Nullable Duration pollInterval) {

    static final int MOST_CLIENTS = 1_000_000;

    /**
     * Checks the bound.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    LocalSettings {
        if (mostClients < 1) {
            throw new IllegalArgumentException("mostClients is " + mostClients + ": it must be at least 1");
        }
    }
}
