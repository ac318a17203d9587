package io.ratelimit.core.client;

import io.ratelimit.core.rules.AddressGrammar;
import io.ratelimit.rules.AddressRange;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Addresses and networks that somebody has named.
 *
 * @param ranges the addresses, at least one range
 */
public record KnownAddresses(List<AddressRange> ranges) {

    /** Copies the ranges. */
    public KnownAddresses {
        ranges = List.copyOf(ranges);
    }

    /**
     * Reads a list.
     *
     * @param text addresses and networks, separated by commas, such as {@code 127.0.0.1, 10.1.0.0/16}
     * @return the addresses
     * @throws IllegalArgumentException if one is neither; the message says what would be right
     */
    public static KnownAddresses parse(String text) {
        return new KnownAddresses(Arrays.stream(text.split(",", -1))
                .map(String::strip)
                .map(new AddressGrammar()::parse)
                .toList());
    }

    /**
     * Whether a peer is one of them.
     *
     * @param peer the peer's address as the container tells it, or null where it does not
     * @return true if it is; false where it cannot be read
     */
    public boolean include(@Nullable String peer) {
        InetAddress address = peer == null ? null : AddressLiteral.parse(peer);
        return address != null && ranges.stream().anyMatch(range -> range.contains(address));
    }
}
