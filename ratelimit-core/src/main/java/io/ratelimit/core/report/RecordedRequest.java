package io.ratelimit.core.report;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A request on its way into a report, with what becomes of it. Thread-safe. */
public final class RecordedRequest {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final SeenRequest seen;
    private final double place;
    private final long seenNanos;
    private volatile boolean refused;
    private volatile boolean answerIsAwaited;
    private volatile @Nullable Answer answer;

    private record Answer(int status, long millis) {}

    /**
     * Begins undecided.
     *
     * @param place where its client stands among all, from 0, below 1
     * @param seenNanos when it was seen, by the monotonic clock
     */
    RecordedRequest(SeenRequest seen, double place, long seenNanos) {
        this.seen = seen;
        this.place = place;
        this.seenNanos = seenNanos;
    }

    double place() {
        return place;
    }

    void decided(boolean allowed, boolean mustBeSettled) {
        refused = !allowed;
        answerIsAwaited = mustBeSettled;
    }

    void answered(int status, long nowNanos) {
        answer = new Answer(status, Math.max(0, nowNanos - seenNanos) / NANOS_PER_MILLI);
        answerIsAwaited = false;
    }

    /** Whether it has an answer that it is worth waiting for. */
    boolean isUnderWay(long nowNanos, long longestNanos) {
        return answerIsAwaited && nowNanos - seenNanos < longestNanos;
    }

    void writeTo(JsonGenerator json) throws IOException {
        json.writeStartObject();
        seen.writeTo(json);
        Answer known = answer;
        if (known != null) {
            json.writeNumberField("status", known.status);
            json.writeNumberField("millis", known.millis);
        }
        if (refused) {
            json.writeBooleanField("refused", true);
        }
        json.writeEndObject();
    }
}
