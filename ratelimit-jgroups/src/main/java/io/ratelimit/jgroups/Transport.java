package io.ratelimit.jgroups;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How messages travel: by one of our own stacks of JGroups' protocols, or by one that a file describes.
 *
 * @param isUdp whether a stack of our own goes by datagrams; a file says it by itself
 * @param configuration where JGroups' own configuration is, {@code classpath:NAME} or a path; null for a stack of our own
 */
record Transport(boolean isUdp, @Nullable String configuration) {

    /** By a word, or the place of a file. */
    static Optional<Transport> of(String text) {
        return switch (text) {
            case "udp" -> Optional.of(new Transport(true, null));
            case "tcp" -> Optional.of(new Transport(false, null));
            default -> text.endsWith(".xml") ? Optional.of(new Transport(false, text)) : Optional.empty();
        };
    }

    @Override
    public String toString() {
        return configuration != null ? configuration : isUdp ? "udp" : "tcp";
    }
}
