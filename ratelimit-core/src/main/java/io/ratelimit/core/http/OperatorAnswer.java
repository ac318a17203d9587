package io.ratelimit.core.http;

import java.util.Arrays;

/** An answer to an operator over HTTP. Immutable. */
public final class OperatorAnswer {

    private final int status;
    private final String contentType;
    private final byte[] body;

    OperatorAnswer(int status, String contentType, byte[] body) {
        this.status = status;
        this.contentType = contentType;
        this.body = body;
    }

    /**
     * The HTTP status.
     *
     * @return 200 to 599
     */
    public int status() {
        return status;
    }

    /**
     * The value of {@code Content-Type}.
     *
     * @return a media type; text has its encoding, UTF-8
     */
    public String contentType() {
        return contentType;
    }

    /**
     * The body.
     *
     * @return a copy
     */
    public byte[] body() {
        return Arrays.copyOf(body, body.length);
    }
}
