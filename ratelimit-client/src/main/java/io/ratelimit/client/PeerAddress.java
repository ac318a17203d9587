package io.ratelimit.client;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Spells addresses as daemons take them, whatever the spelling of a server or a proxy: without port, brackets and zone. Never
 * asks a name service.
 */
final class PeerAddress {

    private static final String NUMBER = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
    private static final String PORT = "(?::(?:\\d{1,5}|_.+))?";

    private static final Pattern IPV4 = Pattern.compile("(" + NUMBER + "(?:\\." + NUMBER + "){3})" + PORT);
    private static final Pattern IPV6 = Pattern.compile("([\\p{XDigit}:.]*:[\\p{XDigit}:.]*)(?:%.*)?");
    private static final Pattern BRACKETED = Pattern.compile("\\[([^\\]]*)\\]" + PORT);

    private PeerAddress() {}

    /**
     * Spells an address.
     *
     * @param text such as {@code 192.0.2.7:8080} or {@code [fe80::1%eth0]:8080}, or null
     * @return the address, one of IPv6 with all of its eight groups; null where the text is none, which identifies nobody
     */
    static @Nullable String of(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String trimmed = text.trim();
        Matcher ipv4 = IPV4.matcher(trimmed);
        if (ipv4.matches()) {
            return ipv4.group(1);
        }
        Matcher bracketed = BRACKETED.matcher(trimmed);
        Matcher ipv6 = IPV6.matcher(bracketed.matches() ? bracketed.group(1) : trimmed);
        return ipv6.matches() ? canonical(ipv6.group(1)) : null;
    }

    private static @Nullable String canonical(String ipv6) {
        try {
            // In brackets it is never taken for a name.
            return InetAddress.getByName("[" + ipv6 + "]").getHostAddress();
        } catch (UnknownHostException e) {
            return null;
        }
    }
}
