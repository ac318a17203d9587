package io.ratelimit.rules;

import java.net.InetAddress;

/**
 * All addresses that share a prefix (CIDR, RFC 4632).
 *
 * @param network an address of the range
 * @param prefixLength the number of leading bits that all addresses of the range share
 */
public record AddressRange(InetAddress network, int prefixLength) {

    /**
     * Checks the prefix.
     *
     * @throws IllegalArgumentException if the prefix is longer than the address
     */
    public AddressRange {
        int bits = network.getAddress().length * Byte.SIZE;
        if (prefixLength < 0 || prefixLength > bits) {
            throw new IllegalArgumentException("the prefix must be between 0 and " + bits + ", not " + prefixLength);
        }
    }

    /**
     * Whether an address lies in this range. An IPv4 address never lies in a range of IPv6.
     *
     * @param address the address
     * @return true if it does
     */
    public boolean contains(InetAddress address) {
        byte[] mine = network.getAddress();
        byte[] other = address.getAddress();
        if (mine.length != other.length) {
            return false;
        }
        int whole = prefixLength / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (mine[i] != other[i]) {
                return false;
            }
        }
        int rest = prefixLength % Byte.SIZE;
        return rest == 0 || (mine[whole] ^ other[whole]) >> (Byte.SIZE - rest) == 0;
    }

    @Override
    public String toString() {
        return network.getHostAddress() + "/" + prefixLength;
    }
}
