package io.ratelimit.core.entry;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the calls of one host: a number drawn for the host in the upper half, the call's number in the lower. Thread-safe. */
final class CallIds {

    /** The id of a call that does no harm if it is made twice. */
    static final long NONE = 0;

    private final int host = new SecureRandom().nextInt(1, Integer.MAX_VALUE);
    private final AtomicInteger calls = new AtomicInteger();

    long next() {
        return ((long) host << Integer.SIZE) | Integer.toUnsignedLong(calls.incrementAndGet());
    }

    static int hostOf(long id) {
        return (int) (id >>> Integer.SIZE);
    }
}
