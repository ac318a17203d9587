package io.ratelimit.core.rules;

import com.google.common.net.InetAddresses;
import io.ratelimit.rules.AddressRange;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** The spelling of addresses and networks (CIDR). Literals only: no name is ever looked up. */
public final class AddressGrammar {

    private static final Pattern LITERAL = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
    private static final Pattern PREFIX = Pattern.compile("0|[1-9][0-9]{0,2}");
    private static final int MAPPED_BITS = 96;

    /** Knows nothing but the spelling. */
    public AddressGrammar() {}

    /**
     * Reads an address, which stands for itself alone, or a network with its prefix.
     *
     * @param text the literal, such as {@code 192.0.2.7} or {@code 10.0.0.0/8}
     * @return the range
     * @throws IllegalArgumentException if the text is neither; the message says what would be right
     */
    public AddressRange parse(String text) {
        int slash = text.indexOf('/');
        InetAddress address = address(slash < 0 ? text : text.substring(0, slash), text);
        int bits = address.getAddress().length * Byte.SIZE;
        int prefix = slash < 0 ? bits : prefix(text, slash, address);
        byte[] network = masked(address.getAddress(), prefix);
        AddressRange range = new AddressRange(inet(network), prefix);
        if (!range.network().equals(address)) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " has bits set beyond its prefix; the network is "
                            + InetAddresses.toAddrString(range.network()) + "/" + prefix);
        }
        return range;
    }

    private static InetAddress address(String literal, String text) {
        if (!LITERAL.matcher(literal).matches() || !InetAddresses.isInetAddress(literal)) {
            throw new IllegalArgumentException(Printable.quoted(text)
                    + " is no address; write a literal address or a network, such as 192.0.2.7, 10.0.0.0/8 or"
                    + " 2001:db8::/32 (names are not looked up)");
        }
        return InetAddresses.forString(literal);
    }

    /** The prefix within the address as Java holds it: an IPv4 address that is written mapped into IPv6 is IPv4. */
    private static int prefix(String text, int slash, InetAddress address) {
        String digits = text.substring(slash + 1);
        boolean mapped = address instanceof Inet4Address && text.indexOf(':') >= 0;
        int least = mapped ? MAPPED_BITS : 0;
        int most = mapped ? 128 : address.getAddress().length * Byte.SIZE;
        int prefix = PREFIX.matcher(digits).matches() ? Integer.parseInt(digits) : -1;
        if (prefix < least || prefix > most) {
            throw new IllegalArgumentException(Printable.quoted(text)
                    + " has a wrong prefix; behind '/' stands a number" + " between " + least + " and " + most);
        }
        return prefix - least;
    }

    private static byte[] masked(byte[] address, int prefix) {
        for (int i = 0; i < address.length; i++) {
            int kept = Math.min(Math.max(prefix - i * Byte.SIZE, 0), Byte.SIZE);
            address[i] &= (byte) (0xFF << (Byte.SIZE - kept));
        }
        return address;
    }

    private static InetAddress inet(byte[] address) {
        try {
            return InetAddress.getByAddress(address);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address has 4 or 16 bytes", e);
        }
    }
}
