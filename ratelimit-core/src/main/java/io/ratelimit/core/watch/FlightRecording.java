package io.ratelimit.core.watch;

import jdk.jfr.FlightRecorder;

/** Whether this Java has a flight recorder: a run-time image may have been made without one. */
final class FlightRecording {

    private FlightRecording() {}

    static boolean isThere() {
        try {
            return FlightRecorder.isAvailable();
        } catch (LinkageError withoutModule) {
            return false;
        }
    }
}
