package io.ratelimit;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

/**
 * The key that tells one client from another. Equal identifiers share a bucket; parts are length-prefixed, so that no
 * two different clients have equal ones. Immutable.
 *
 * <p>The canonical text holds what the client sent, secrets included: it is for hashing only. Long values are replaced
 * by their SHA-256 when an identifier is made, so that a hostile client cannot make keys of any size.
 * {@link #toString()} is safe to log.
 */
public final class ClientIdentifier {

    private static final int LONGEST_PLAIN_VALUE = 256;

    /** The one bucket that all clients of a service share under {@code key: service}. */
    public static final ClientIdentifier SERVICE = new ClientIdentifier("service", "service");

    private final String canonical;
    private final String printable;

    private ClientIdentifier(String canonical, String printable) {
        this.canonical = canonical;
        this.printable = printable;
    }

    /**
     * An identifier of one part.
     *
     * @param kind what the value is, such as {@code user}, {@code ip} or {@code header:x-api-key}
     * @param value the client's value, not empty
     * @return the identifier
     */
    public static ClientIdentifier of(String kind, String value) {
        Objects.requireNonNull(kind, "kind");
        String bounded = value.length() > LONGEST_PLAIN_VALUE ? "sha256:" + sha256(value) : value;
        String canonical = kind.length() + ":" + kind + bounded.length() + ":" + bounded;
        return new ClientIdentifier(canonical, kind + "=#" + sha256(value).substring(0, 8));
    }

    /**
     * An identifier that needs all its parts: one bucket for each combination.
     *
     * @param parts at least one identifier
     * @return the composite; the part itself where there is only one
     * @throws IllegalArgumentException if there is no part
     */
    public static ClientIdentifier composite(List<ClientIdentifier> parts) {
        if (parts.isEmpty()) {
            throw new IllegalArgumentException("a composite identifier needs at least one part");
        }
        if (parts.size() == 1) {
            return parts.get(0);
        }
        StringBuilder canonical = new StringBuilder("all:").append(parts.size());
        StringBuilder printable = new StringBuilder();
        for (ClientIdentifier part : parts) {
            canonical.append(':').append(part.canonical.length()).append(':').append(part.canonical);
            printable.append(printable.isEmpty() ? "" : "+").append(part.printable);
        }
        return new ClientIdentifier(canonical.toString(), printable.toString());
    }

    /**
     * The text that equality is decided by and that stores hash. Never log it, store it or send it.
     *
     * @return the canonical text
     */
    public String canonical() {
        return canonical;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClientIdentifier that && canonical.equals(that.canonical);
    }

    @Override
    public int hashCode() {
        return canonical.hashCode();
    }

    /** The kind of each part with a short fingerprint of its value, such as {@code user=#2bd806c9}. */
    @Override
    public String toString() {
        return printable;
    }

    private static String sha256(String value) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(value.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
