package io.ratelimit.server.daemon;

import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.OperatorAnswer;
import io.ratelimit.core.http.OperatorAnswers;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.jetty.http.HttpStatus;

/**
 * An answer of the daemon.
 *
 * @param status the HTTP status
 * @param contentType the body's media type, empty where there is no body
 * @param body the body, read-only
 * @param fields header fields beside that
 */
record Answer(int status, String contentType, ByteBuffer body, List<HeaderField> fields) {

    private static final byte[] NO_BODY = new byte[0];

    /** Keeps nobody from sharing the answer. */
    Answer {
        body = body.asReadOnlyBuffer();
    }

    Answer(int status, String contentType, byte[] body) {
        this(status, contentType, ByteBuffer.wrap(body), List.of());
    }

    static Answer json(byte[] body) {
        return new Answer(200, "application/json", body);
    }

    static Answer empty(int status, List<HeaderField> fields) {
        return new Answer(status, "", ByteBuffer.wrap(NO_BODY), fields);
    }

    static Answer of(OperatorAnswer answer) {
        return new Answer(answer.status(), answer.contentType(), answer.body());
    }

    /** A problem (RFC 9457), which has the status in words as its title. */
    static Answer problem(int status, String detail) {
        return of(OperatorAnswers.preferredBy(List.of()).problem(status, HttpStatus.getMessage(status), detail));
    }

    Answer with(DescriptorsReport report) {
        byte[] bytes = new byte[body.remaining()];
        body.duplicate().get(bytes);
        return new Answer(
                status, contentType, ByteBuffer.wrap(report.behind(bytes, contentType.startsWith("text/"))), fields);
    }

    Answer with(String name, String value) {
        List<HeaderField> more = new ArrayList<>(fields);
        more.add(new HeaderField(name, value));
        return new Answer(status, contentType, body, List.copyOf(more));
    }
}
