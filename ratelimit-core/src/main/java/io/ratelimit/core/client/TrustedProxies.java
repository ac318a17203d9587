package io.ratelimit.core.client;

import io.ratelimit.rules.AddressRange;
import java.net.InetAddress;
import java.util.List;

/** Address ranges laid out for many look-ups: the bytes of a range are not copied for each. Immutable. */
final class TrustedProxies {

    private final byte[][] networks;
    private final int[] prefixLengths;

    TrustedProxies(List<AddressRange> ranges) {
        networks = new byte[ranges.size()][];
        prefixLengths = new int[ranges.size()];
        for (int i = 0; i < networks.length; i++) {
            networks[i] = ranges.get(i).network().getAddress();
            prefixLengths[i] = ranges.get(i).prefixLength();
        }
    }

    boolean isEmpty() {
        return networks.length == 0;
    }

    boolean contain(InetAddress address) {
        if (isEmpty()) {
            return false;
        }
        byte[] bytes = address.getAddress();
        for (int i = 0; i < networks.length; i++) {
            if (networks[i].length == bytes.length && sharePrefix(networks[i], bytes, prefixLengths[i])) {
                return true;
            }
        }
        return false;
    }

    private static boolean sharePrefix(byte[] network, byte[] address, int bits) {
        int whole = bits / Byte.SIZE;
        for (int i = 0; i < whole; i++) {
            if (network[i] != address[i]) {
                return false;
            }
        }
        int rest = bits % Byte.SIZE;
        return rest == 0 || (network[whole] ^ address[whole]) >> (Byte.SIZE - rest) == 0;
    }
}
