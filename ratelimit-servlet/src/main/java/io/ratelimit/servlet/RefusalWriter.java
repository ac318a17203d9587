package io.ratelimit.servlet;

import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.Refusal;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Writes a refusal. The status is set and the body written here, since {@code sendError} would start an error dispatch
 * and put the container's page in place of the body.
 */
final class RefusalWriter {

    private RefusalWriter() {}

    static void write(Refusal refusal, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            return;
        }
        response.resetBuffer();
        response.setStatus(refusal.status());
        for (HeaderField field : refusal.fields()) {
            response.setHeader(field.name(), field.value());
        }
        response.addHeader("Vary", refusal.vary());
        response.setContentType(refusal.contentType());
        writeBody(refusal, response);
    }

    private static void writeBody(Refusal refusal, HttpServletResponse response) throws IOException {
        OutputStream out;
        try {
            out = response.getOutputStream();
        } catch (IllegalStateException writerTaken) {
            writeAsText(refusal, response);
            return;
        }
        correctEncoding(response);
        response.setContentLength(refusal.contentLength());
        if (refusal.body().length > 0) {
            out.write(refusal.body());
        }
    }

    /** Another filter may have set an encoding, which the container has added to our type by now. */
    private static void correctEncoding(HttpServletResponse response) {
        String type = response.getContentType();
        if (type != null && type.contains("charset") && !isUtf8(response.getCharacterEncoding())) {
            response.setCharacterEncoding(StandardCharsets.UTF_8.name());
        }
    }

    private static boolean isUtf8(String encoding) {
        return StandardCharsets.UTF_8.name().equalsIgnoreCase(encoding);
    }

    /** A filter before this one has the writer, and its encoding with it, which the type then names. */
    private static void writeAsText(Refusal refusal, HttpServletResponse response) throws IOException {
        String text = new String(refusal.body(), StandardCharsets.UTF_8);
        if (!text.isEmpty()) {
            response.setContentLength(text.getBytes(response.getCharacterEncoding()).length);
            response.getWriter().write(text);
        }
    }
}
