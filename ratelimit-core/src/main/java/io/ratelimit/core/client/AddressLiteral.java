package io.ratelimit.core.client;

import com.google.common.net.InetAddresses;
import java.net.InetAddress;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads addresses as peers and proxies write them: {@code 192.0.2.7}, {@code 192.0.2.7:8080}, {@code 2001:db8::1},
 * {@code [2001:db8::1]}, {@code [2001:db8::1]:8080}, {@code fe80::1%eth0}. Never asks a name service.
 */
public final class AddressLiteral {

    private static final int LONGEST_PORT = 5;

    private AddressLiteral() {}

    /**
     * Reads an address.
     *
     * @param text the literal, with or without port, brackets and zone; an IPv4-mapped IPv6 address is IPv4
     * @return the address without its zone, or null where the text is none
     */
    public static @Nullable InetAddress parse(String text) {
        String trimmed = text.trim();
        if (trimmed.startsWith("[")) {
            return parseBracketed(trimmed);
        }
        int colon = trimmed.indexOf(':');
        if (colon < 0) {
            return parseBare(trimmed);
        }
        if (trimmed.indexOf(':', colon + 1) < 0) {
            return isPort(trimmed, colon) ? parseBare(trimmed.substring(0, colon)) : null;
        }
        return parseBare(withoutZone(trimmed));
    }

    /**
     * Whether a text is an IPv4 address in its one usual spelling, so that it need not be parsed to be compared.
     *
     * @param text the text
     * @return true for four numbers from 0 to 255, without leading zeros, with dots between
     */
    static boolean isCanonicalIpv4(String text) {
        int numbers = 1;
        int digits = 0;
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' && digits > 0) {
                numbers++;
                digits = 0;
                value = 0;
            } else if (c >= '0' && c <= '9' && (digits == 0 || value > 0)) {
                digits++;
                value = 10 * value + c - '0';
            } else {
                return false;
            }
            if (value > 255) {
                return false;
            }
        }
        return numbers == 4 && digits > 0;
    }

    private static @Nullable InetAddress parseBracketed(String text) {
        int close = text.indexOf(']');
        boolean ends = close == text.length() - 1;
        if (close < 0 || !(ends || isPort(text, close + 1))) {
            return null;
        }
        String address = withoutZone(text.substring(1, close));
        return address.indexOf(':') < 0 ? null : parseBare(address);
    }

    /** A zone names an interface of the host that wrote it, which means nothing here. */
    private static String withoutZone(String address) {
        int percent = address.indexOf('%');
        return percent < 0 ? address : address.substring(0, percent);
    }

    /** A port of RFC 7239 section 6: up to five digits, or a hidden one such as {@code _x}. */
    private static boolean isPort(String text, int colon) {
        int length = text.length() - colon - 1;
        if (text.charAt(colon) != ':' || length < 1) {
            return false;
        }
        if (text.charAt(colon + 1) == '_') {
            return length > 1;
        }
        if (length > LONGEST_PORT) {
            return false;
        }
        for (int i = colon + 1; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static @Nullable InetAddress parseBare(String address) {
        if (!looksLikeAddress(address)) {
            return null;
        }
        try {
            return InetAddresses.forString(address);
        } catch (IllegalArgumentException noAddress) {
            return null;
        }
    }

    /** Keeps most of what is no address from the cost of an exception, and digits of other scripts out. */
    private static boolean looksLikeAddress(String address) {
        boolean separated = false;
        for (int i = 0; i < address.length(); i++) {
            char c = address.charAt(i);
            if (c == '.' || c == ':') {
                separated = true;
            } else if (!HexFormat.isHexDigit(c)) {
                return false;
            }
        }
        return separated;
    }
}
