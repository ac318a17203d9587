package io.ratelimit.core.broadcast;

import java.io.IOException;
import java.util.List;

/** A way in which what was spent here reaches the other hosts. Thread-safe; told by one thread. */
interface Telling {

    /**
     * Tells others what is new. Called once in each period, also if nothing is.
     *
     * @param spent what was spent here and must be told now
     * @param nanos the time
     */
    void tell(List<Consumption> spent, long nanos);

    /** Whether a message is of a host that tells in the same way: what another one tells may have come from here. */
    boolean isFor(byte[] message);

    /**
     * Hears what another host has told.
     *
     * @param message the message, which {@linkplain #isFor is for} this host
     * @param nanos the time
     * @throws IOException if the message is of another version, or damaged
     */
    void hear(byte[] message, long nanos) throws IOException;

    /** Forgets what is of no more use. */
    void sweep(long nanos);
}
