package io.ratelimit.core.watch;

/** Looks at refusals, of which there may be very many. Thread-safe. */
interface RefusalWatch {

    /**
     * Asked of each refusal, so that one that nobody looks at costs next to nothing.
     *
     * @return whether {@link #refused} wants to hear of this one
     */
    boolean wantsNext();

    /** Hears of a refusal that it wanted to hear of. */
    void refused(WatchedRefusal request);
}
