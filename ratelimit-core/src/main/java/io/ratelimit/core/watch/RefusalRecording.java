package io.ratelimit.core.watch;

import io.ratelimit.ClientIdentifier;
import java.time.Duration;

/** Refusals for the flight recorder, while one records. Thread-safe. */
final class RefusalRecording implements RefusalWatch {

    private static final long UNKNOWN = -1;

    @Override
    public boolean wantsNext() {
        return new RefusalEvent().isEnabled();
    }

    @Override
    public void refused(WatchedRefusal request) {
        RefusalEvent event = new RefusalEvent();
        ClientIdentifier client = request.client();
        event.method = request.method();
        event.path = request.path();
        event.policy = request.policy();
        event.client = client == null ? null : client.toString();
        event.retryAfter = request.retryAfter().map(Duration::toNanos).orElse(UNKNOWN);
        event.commit();
    }
}
