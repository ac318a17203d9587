package io.ratelimit.core.bucket;

import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.Moment;

/** A store's time: nanoseconds since the store was made. Thread-safe. */
final class StoreClock {

    private final TimeSource timeSource;
    private final long origin;

    StoreClock(TimeSource timeSource) {
        this.timeSource = timeSource;
        this.origin = timeSource.nanoTime();
    }

    long nanos() {
        return timeSource.nanoTime() - origin;
    }

    Moment now() {
        return new Moment(nanos(), timeSource.currentTimeMillis());
    }
}
