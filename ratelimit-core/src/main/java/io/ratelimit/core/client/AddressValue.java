package io.ratelimit.core.client;

import com.google.common.net.InetAddresses;
import io.ratelimit.RequestContext;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The client's address as text: an IPv4 address alone, an IPv6 address as its network (RFC 5952), such as
 * {@code 2001:db8:0:7::/64}, because one client has all addresses of such a network to choose from.
 *
 * @param resolver finds the address
 * @param ipv6Prefix how many bits of an IPv6 address count
 */
record AddressValue(ClientAddressResolver resolver, int ipv6Prefix) implements ClientValue {

    @Override
    public @Nullable String read(RequestContext context) {
        InetAddress address = resolver.resolve(context);
        if (address == null) {
            return null;
        }
        return address instanceof Inet4Address ? address.getHostAddress() : network(address.getAddress());
    }

    private String network(byte[] bytes) {
        int whole = ipv6Prefix / Byte.SIZE;
        if (whole < bytes.length) {
            bytes[whole] &= (byte) (0xFF00 >> ipv6Prefix % Byte.SIZE);
            Arrays.fill(bytes, whole + 1, bytes.length, (byte) 0);
        }
        try {
            return InetAddresses.toAddrString(InetAddress.getByAddress(bytes)) + "/" + ipv6Prefix;
        } catch (UnknownHostException e) {
            throw new AssertionError("an IPv6 address has 16 bytes", e);
        }
    }
}
