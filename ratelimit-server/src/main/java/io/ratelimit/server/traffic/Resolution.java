package io.ratelimit.server.traffic;

import java.time.Duration;

/** How finely activity is counted, and for how long it is kept. */
public enum Resolution {
    /** Slots of 5 seconds for 15 minutes. */
    FINE(Duration.ofSeconds(5), 180),
    /** Slots of a minute for 6 hours. */
    COARSE(Duration.ofMinutes(1), 360);

    private final Duration slot;
    private final int slots;

    Resolution(Duration slot, int slots) {
        this.slot = slot;
        this.slots = slots;
    }

    /**
     * The length of a slot.
     *
     * @return a whole number of seconds
     */
    public Duration slot() {
        return slot;
    }

    /**
     * How many slots are kept, the one that is not over yet included.
     *
     * @return at least 1
     */
    public int slots() {
        return slots;
    }

    long slotOf(long millis) {
        return Math.floorDiv(millis, slot.toMillis());
    }

    long startOf(long number) {
        return number * slot.toMillis();
    }
}
