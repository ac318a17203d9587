package io.ratelimit.core.watch;

import io.ratelimit.RateLimitListener;

/** Failures for the flight recorder, while one records. Thread-safe. */
public final class FailureRecording implements RateLimitListener {

    private final boolean isThere = FlightRecording.isThere();

    /** Records from now on, whenever there is a recording. */
    public FailureRecording() {}

    @Override
    public void onFailure(String kind, Throwable cause) {
        if (isThere) {
            FailureRecorder.record(kind, cause);
        }
    }

    /** Apart, so that a Java without a flight recorder never looks for the event. */
    private static final class FailureRecorder {

        private FailureRecorder() {}

        static void record(String kind, Throwable cause) {
            FailureEvent event = new FailureEvent();
            if (event.isEnabled()) {
                event.kind = kind;
                event.cause = cause.getClass().getName();
                event.commit();
            }
        }
    }
}
