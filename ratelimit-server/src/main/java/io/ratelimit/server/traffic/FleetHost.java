package io.ratelimit.server.traffic;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One host of a service, as it was last heard of.
 *
 * @param name its name and instance, such as {@code app-3/9f12ab34}
 * @param state which rules it runs
 * @param tag the tag of the rules in force there, or null where there are none from a source
 * @param since since when these are in force, or null where it is not known
 * @param origin where they came from, or null where the host has only polled yet
 * @param error why the host has not taken over other rules, or null, also where it has polled since and has those asked
 *     about; text from the host, to be escaped
 * @param lastSeen when the host was last heard of
 */
public record FleetHost(
        String name,
        State state,
        @Nullable String tag,
        @Nullable Instant since,
        HostReport.@Nullable Origin origin,
        @Nullable String error,
        Instant lastSeen) {

    /** Which rules a host runs. */
    public enum State {
        /** Those that were asked about. */
        CURRENT,
        /** Others, or none. */
        OTHER,
        /** Nobody knows: it has not been heard of for a while. */
        SILENT
    }
}
