package io.ratelimit;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The key that tells one client from another. Equal identifiers share a bucket; parts are length-prefixed, so that no
 * two different clients have equal ones. Values are compared exactly, character by character: no letter case is folded
 * and no Unicode normalized here. Immutable and thread-safe.
 *
 * <p>The canonical text holds what the client sent, secrets included: it is for hashing only. Long values are replaced
 * by their SHA-256 when an identifier is made, so that a hostile client cannot make keys of any size.
 * {@link #toString()} is safe to log.
 */
public final class ClientIdentifier {

    /** In UTF-16 units; signed tokens are mostly shorter, so that no digest of them is made for each request. */
    private static final int LONGEST_PLAIN_VALUE = 4_096;

    /** The one bucket that all clients of a service share under {@code key: service}. */
    public static final ClientIdentifier SERVICE = new ClientIdentifier("service", "", List.of(), "service");

    private final String kind;
    private final String value;
    private final List<ClientIdentifier> parts;

    /** Made when first asked for. A race makes equal texts, and a string is safe to publish without a lock. */
    private @Nullable String canonical;

    private ClientIdentifier(String kind, String value, List<ClientIdentifier> parts, @Nullable String canonical) {
        this.kind = kind;
        this.value = value;
        this.parts = parts;
        this.canonical = canonical;
    }

    /**
     * An identifier of one part.
     *
     * @param kind what the value is, such as {@code user}, {@code ip} or {@code header:x-api-key}; chosen by the
     *     application or its rules, never by the client
     * @param value the client's value, not empty
     * @return the identifier
     * @throws IllegalArgumentException if the value is empty: a missing identity is no identity
     */
    public static ClientIdentifier of(String kind, String value) {
        Objects.requireNonNull(kind, "kind");
        if (value.isEmpty()) {
            throw new IllegalArgumentException("the value of '" + kind + "' is empty, which identifies nobody");
        }
        if (value.length() > LONGEST_PLAIN_VALUE || !isWellFormed(value) || !isWellFormed(kind)) {
            return new ClientIdentifier(kind, "", List.of(), digestOf(plainText(kind, value)));
        }
        return new ClientIdentifier(kind, value, List.of(), null);
    }

    /**
     * An identifier that needs all its parts: one bucket for each combination.
     *
     * @param parts at least one identifier; their order counts
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
        return new ClientIdentifier("", "", List.copyOf(parts), null);
    }

    /**
     * What tells the client apart, without the value.
     *
     * @return the kind, such as {@code user} or {@code header:x-api-key}; those of all parts joined by {@code +}
     */
    public String kind() {
        return parts.isEmpty()
                ? kind
                : parts.stream().map(ClientIdentifier::kind).collect(Collectors.joining("+"));
    }

    /**
     * The text that equality is decided by and that stores hash. It is well-formed Unicode, so that different texts
     * have different bytes in UTF-8. Never log it, store it or send it.
     *
     * @return the canonical text
     */
    public String canonical() {
        String text = canonical;
        if (text == null) {
            text = parts.isEmpty() ? plainText(kind, value) : compositeText();
            canonical = text;
        }
        return text;
    }

    @Override
    public boolean equals(Object other) {
        return this == other
                || (other instanceof ClientIdentifier that && canonical().equals(that.canonical()));
    }

    @Override
    public int hashCode() {
        return canonical().hashCode();
    }

    /**
     * The kind of each part with a short fingerprint of its value, such as {@code user=#2bd806c9+ip=#90a1f3c2}. The
     * fingerprint depends on a secret of this process, because names and addresses are few enough to be guessed from
     * a plain hash: it tells the clients of one process's log apart, and says nothing anywhere else. Costs a SHA-256
     * for each part.
     */
    @Override
    public String toString() {
        if (equals(SERVICE)) {
            return kind;
        }
        if (parts.isEmpty()) {
            return kind + "=#" + Fingerprint.of(canonical());
        }
        StringBuilder text = new StringBuilder();
        for (ClientIdentifier part : parts) {
            text.append(text.isEmpty() ? "" : "+").append(part);
        }
        return text.toString();
    }

    /**
     * Names the client for whoever may know it: the kind of each part with what is shown of its value, such as
     * {@code user=alice+ip=192.0.2.7}.
     *
     * @param shown takes a part's kind and value, and answers what is shown of the value; of a value that is too long to
     *     be kept it takes the digest
     * @return the name
     */
    public String describe(BinaryOperator<String> shown) {
        if (equals(SERVICE)) {
            return kind;
        }
        return parts.isEmpty()
                ? kind + "=" + shown.apply(kind, value.isEmpty() ? canonical() : value)
                : parts.stream().map(part -> part.describe(shown)).collect(Collectors.joining("+"));
    }

    private String compositeText() {
        StringBuilder text = new StringBuilder(128);
        appendTo(text);
        return text.toString();
    }

    /**
     * Each form tells where it ends and differs from the others in its first two characters: lengths start with a
     * digit, composites with {@code al}, digests with {@code sh}, the service with {@code se}.
     */
    private void appendTo(StringBuilder text) {
        String known = canonical;
        if (known != null) {
            text.append(known);
        } else if (parts.isEmpty()) {
            text.append(kind.length()).append(':').append(kind);
            text.append(value.length()).append(':').append(value);
        } else {
            text.append("all:").append(parts.size()).append(':');
            for (ClientIdentifier part : parts) {
                part.appendTo(text);
            }
        }
    }

    private static String plainText(String kind, String value) {
        return kind.length() + ":" + kind + value.length() + ":" + value;
    }

    /** Surrogates that stand alone have no UTF-8: encoders replace all of them by the same {@code ?}. */
    private static boolean isWellFormed(String text) {
        int length = text.length();
        for (int i = 0; i < length; i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                if (i + 1 == length || !Character.isSurrogatePair(text.charAt(i), text.charAt(i + 1))) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static String digestOf(String text) {
        ByteBuffer units = ByteBuffer.allocate(text.length() * Character.BYTES);
        units.asCharBuffer().put(text);
        return "sha256:" + HexFormat.of().formatHex(sha256().digest(units.array()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** Apart, so that a process that never logs a client never waits for random numbers. */
    private static final class Fingerprint {

        private static final int BYTES = 4;
        private static final byte[] SECRET = randomBytes(32);

        private Fingerprint() {}

        private static byte[] randomBytes(int count) {
            byte[] bytes = new byte[count];
            new SecureRandom().nextBytes(bytes);
            return bytes;
        }

        static String of(String canonical) {
            MessageDigest digest = sha256();
            digest.update(SECRET);
            digest.update(canonical.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest.digest(), 0, BYTES);
        }
    }
}
