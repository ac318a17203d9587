package io.ratelimit.core.http;

import java.util.List;

/**
 * The answer to a refused request. Immutable, but for the bytes, which are handed out without a copy.
 */
public final class Refusal {

    private static final byte[] NO_BODY = new byte[0];

    private final int status;
    private final List<HeaderField> fields;
    private final String contentType;
    private final byte[] representation;
    private final boolean head;

    Refusal(int status, List<HeaderField> fields, String contentType, byte[] representation, boolean head) {
        this.status = status;
        this.fields = List.copyOf(fields);
        this.contentType = contentType;
        this.representation = representation;
        this.head = head;
    }

    /**
     * The HTTP status.
     *
     * @return 400 to 599
     */
    public int status() {
        return status;
    }

    /**
     * What the body was chosen by, to be added to the values of {@code Vary} that others have set. The answer must not
     * be stored, so that this matters only to a cache that was told otherwise.
     *
     * @return a value of {@code Vary}
     */
    public String vary() {
        return "Accept, Accept-Language";
    }

    /**
     * The header fields but for {@code Content-Type}, {@code Content-Length} and {@code Vary}.
     *
     * @return the fields, no two of the same name
     */
    public List<HeaderField> fields() {
        return fields;
    }

    /**
     * The value of {@code Content-Type}.
     *
     * @return a media type; the body is UTF-8
     */
    public String contentType() {
        return contentType;
    }

    /**
     * The value of {@code Content-Length}; of an answer to {@code HEAD} the length that one to {@code GET} has (RFC 9110
     * section 8.6).
     *
     * @return bytes
     */
    public int contentLength() {
        return representation.length;
    }

    /**
     * The body.
     *
     * @return the bytes, which must not be changed; none for {@code HEAD}
     */
    public byte[] body() {
        return head ? NO_BODY : representation;
    }
}
