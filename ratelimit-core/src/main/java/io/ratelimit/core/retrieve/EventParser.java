package io.ratelimit.core.retrieve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Reads a stream of {@code text/event-stream} as it comes (HTML Living Standard, section 9.2). Lines and events are
 * bounded, so that a stream without an end takes no memory. Used by one thread at a time.
 */
final class EventParser {

    private static final int MOST_BYTES = 8 << 10;

    private final Consumer<ServerEvent> events;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final StringBuilder data = new StringBuilder();
    private String type = "";
    private boolean afterReturn;

    EventParser(Consumer<ServerEvent> events) {
        this.events = events;
    }

    /**
     * Reads on.
     *
     * @return whether a line ended, be it a comment
     * @throws IOException if a line or an event is larger than any real one
     */
    boolean read(ByteBuffer bytes) throws IOException {
        boolean ended = false;
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            boolean secondHalf = afterReturn && next == '\n';
            afterReturn = next == '\r';
            if (secondHalf) {
                continue;
            }
            if (next == '\n' || next == '\r') {
                endLine();
                ended = true;
            } else {
                if (line.size() == MOST_BYTES) {
                    throw tooLarge();
                }
                line.write(next);
            }
        }
        return ended;
    }

    private void endLine() throws IOException {
        String text = line.toString(StandardCharsets.UTF_8);
        line.reset();
        if (text.isEmpty()) {
            endEvent();
            return;
        }
        int colon = text.indexOf(':');
        String field = colon < 0 ? text : text.substring(0, colon);
        String value = colon < 0 ? "" : text.substring(colon + 1).replaceFirst("^ ", "");
        switch (field) {
            case "event" -> type = value;
            case "data" -> addData(value);
            default -> {
                // A comment, or a field that nothing here needs.
            }
        }
    }

    private void addData(String value) throws IOException {
        if (data.length() + value.length() >= MOST_BYTES) {
            throw tooLarge();
        }
        data.append(value).append('\n');
    }

    private void endEvent() {
        if (data.length() > 0) {
            data.setLength(data.length() - 1);
            events.accept(new ServerEvent(type.isEmpty() ? "message" : type, data.toString()));
        }
        data.setLength(0);
        type = "";
    }

    private static IOException tooLarge() {
        return new IOException("a line or an event is larger than 8 KiB");
    }
}
