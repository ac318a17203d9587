package io.ratelimit.client.http;

import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.core.MultivaluedHashMap;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.Response.StatusType;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An answer to one attempt of a call.
 *
 * @param status the status
 * @param headers the header
 * @param body the body as it comes over the network, or null for none
 * @param attempt the response of an attempt that the filter has made, which holds the connection; null for the caller's own
 */
record CallAnswer(
        StatusType status,
        MultivaluedMap<String, String> headers,
        @Nullable InputStream body,
        @Nullable Response attempt) {

    /** More of a body is not kept, nor read to its end. */
    private static final int MOST_BYTES = 64 << 10;

    /** Copies the header. */
    CallAnswer {
        headers = new MultivaluedHashMap<>(headers);
    }

    /** The answer to the caller's own attempt. */
    static CallAnswer of(ClientResponseContext response) {
        return new CallAnswer(response.getStatusInfo(), response.getHeaders(), response.getEntityStream(), null);
    }

    /** How long the server wants to be left alone, or null. */
    @Nullable
    Duration statedWait() {
        Map<String, List<String>> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.forEach((name, values) -> named.put(String.valueOf(name), values));
        return StatedWait.of(HttpHeaders.of(named, (name, value) -> true), Instant.now())
                .orElse(null);
    }

    /**
     * Reads the body to its end, so that the connection is free meanwhile, and keeps it. The caller's own answer must not be
     * closed: some clients close with a stream all that the caller has.
     *
     * @return the answer with the body in memory, or all of it as it was where the body is longer than the answer to a
     *     refused request
     */
    CallAnswer kept() throws IOException {
        if (body == null) {
            return this;
        }
        byte[] beginning = body.readNBytes(MOST_BYTES + 1);
        if (attempt != null) {
            attempt.close();
        }
        InputStream read = new ByteArrayInputStream(beginning);
        boolean isAll = beginning.length <= MOST_BYTES || attempt != null;
        return new CallAnswer(status, headers, isAll ? read : new SequenceInputStream(read, body), null);
    }

    /** Whether the connection is free. */
    boolean isKept() {
        return body == null || body instanceof ByteArrayInputStream;
    }

    /** Puts this answer in the place of another. */
    void replace(ClientResponseContext response) {
        response.setStatusInfo(status);
        response.getHeaders().clear();
        response.getHeaders().putAll(headers);
        response.setEntityStream(body == null ? InputStream.nullInputStream() : new HeldBody(body, attempt));
    }

    /** Keeps the attempt's response, and with it the connection, until the body is closed. */
    private static final class HeldBody extends FilterInputStream {

        private final @Nullable Response attempt;

        HeldBody(InputStream body, @Nullable Response attempt) {
            super(body);
            this.attempt = attempt;
        }

        @Override
        public void close() throws IOException {
            super.close();
            if (attempt != null) {
                attempt.close();
            }
        }
    }
}
