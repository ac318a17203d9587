package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import java.net.Inet4Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * The client's address as text: an IPv4 address alone, an IPv6 address as its network, such as
 * {@code 2001:db8:0:7::/64}, because one client has all addresses of such a network to choose from.
 *
 * @param resolver finds the address
 * @param ipv6Prefix how many bits of an IPv6 address count
 */
record AddressValue(ClientAddressResolver resolver, int ipv6Prefix) implements ClientValue {

    private static final int GROUP_BITS = 16;
    private static final int GROUPS = 8;

    @Override
    public @Nullable String read(RequestContext context) {
        String peer = context.peerAddress();
        if (peer != null && resolver.believesNobody() && AddressLiteral.isCanonicalIpv4(peer)) {
            return peer;
        }
        InetAddress address = resolver.resolve(context);
        if (address == null) {
            return null;
        }
        return address instanceof Inet4Address ? address.getHostAddress() : network(address.getAddress());
    }

    /** Writes only the groups of the prefix: one text for one network, and cheaper than to find the longest zeros. */
    private String network(byte[] bytes) {
        int groups = (ipv6Prefix + GROUP_BITS - 1) / GROUP_BITS;
        StringBuilder text = new StringBuilder(48);
        for (int i = 0; i < groups; i++) {
            int bitsKept = Math.min(GROUP_BITS, ipv6Prefix - i * GROUP_BITS);
            int mask = 0xFFFF << (GROUP_BITS - bitsKept);
            int group = (bytes[2 * i] & 0xFF) << Byte.SIZE | (bytes[2 * i + 1] & 0xFF);
            appendHex(text.append(i == 0 ? "" : ":"), group & mask);
        }
        return text.append(groups < GROUPS ? "::/" : "/").append(ipv6Prefix).toString();
    }

    private static void appendHex(StringBuilder text, int group) {
        int shift = 12;
        while (shift > 0 && group >>> shift == 0) {
            shift -= 4;
        }
        for (; shift >= 0; shift -= 4) {
            text.append(Character.forDigit(group >>> shift & 0xF, 16));
        }
    }
}
