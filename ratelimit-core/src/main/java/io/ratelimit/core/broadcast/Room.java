package io.ratelimit.core.broadcast;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How much a memory takes that others fill. What follows when it is full is said once, and again only after there was room.
 * Thread-safe.
 */
final class Room {

    private static final Logger LOG = LoggerFactory.getLogger(Room.class);

    private final int most;
    private final String consequence;
    private final AtomicBoolean complained = new AtomicBoolean();

    /**
     * Begins empty.
     *
     * @param most how many entries there may be, at least 1
     * @param consequence what follows from more of them, with {@code {}} for their number
     */
    Room(int most, String consequence) {
        this.most = most;
        this.consequence = consequence;
    }

    /**
     * Whether one more is too much.
     *
     * @param size how many entries there are
     */
    boolean isFullAt(int size) {
        boolean full = size >= most;
        if (full && !complained.getAndSet(true)) {
            LOG.warn(consequence, most);
        }
        return full;
    }

    /**
     * Takes note of what is left after some were forgotten.
     *
     * @param size how many entries there are
     */
    void leaves(int size) {
        if (size < most) {
            complained.set(false);
        }
    }
}
