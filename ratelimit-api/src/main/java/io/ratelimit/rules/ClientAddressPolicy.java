package io.ratelimit.rules;

import java.util.List;

/**
 * How a client's address is found and grouped.
 *
 * @param trustedProxies the peers whose forwarding header is believed; nobody's by default
 * @param header which header carries the addresses that proxies saw
 * @param ipv6Prefix how many bits of an IPv6 address tell clients apart, 1 to 128
 */
public record ClientAddressPolicy(List<AddressRange> trustedProxies, ForwardingHeader header, int ipv6Prefix) {

    /** The header that proxies write addresses to. */
    public enum ForwardingHeader {
        /** The widespread {@code X-Forwarded-For}. */
        X_FORWARDED_FOR("X-Forwarded-For"),
        /** {@code Forwarded} of RFC 7239. */
        FORWARDED("Forwarded");

        private final String headerName;

        ForwardingHeader(String headerName) {
            this.headerName = headerName;
        }

        /**
         * The header's name.
         *
         * @return the name
         */
        public String headerName() {
            return headerName;
        }
    }

    /** Believes nobody, and takes an IPv6 network of 64 bits for one client. */
    public static final ClientAddressPolicy DEFAULT =
            new ClientAddressPolicy(List.of(), ForwardingHeader.X_FORWARDED_FOR, 64);

    /**
     * Copies the ranges and checks the prefix.
     *
     * @throws IllegalArgumentException if the prefix is out of its range
     */
    public ClientAddressPolicy {
        trustedProxies = List.copyOf(trustedProxies);
        if (ipv6Prefix < 1 || ipv6Prefix > 128) {
            throw new IllegalArgumentException("ipv6Prefix must be between 1 and 128, not " + ipv6Prefix);
        }
    }
}
