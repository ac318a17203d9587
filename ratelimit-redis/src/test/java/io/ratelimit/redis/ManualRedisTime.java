package io.ratelimit.redis;

import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.Moment;
import java.nio.charset.StandardCharsets;

/** The clock of a test in place of the server's. */
record ManualRedisTime(TimeSource clock, long origin) implements RedisTime {

    /** Nobody's clock stands at 0. */
    private static final long BEGIN_NANOS = 1_000_000_000_000_000_000L;

    ManualRedisTime(TimeSource clock) {
        this(clock, clock.nanoTime());
    }

    @Override
    public byte[] argument() {
        return Long.toString(nanos() / 1_000).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public Moment at(long micros) {
        return new Moment(nanos(), clock.currentTimeMillis());
    }

    private long nanos() {
        return BEGIN_NANOS + (clock.nanoTime() - origin);
    }
}
