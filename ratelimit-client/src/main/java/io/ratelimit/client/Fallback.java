package io.ratelimit.client;

/** Decides where no daemon does. Throws nothing that a request could meet. Thread-safe. */
@FunctionalInterface
interface Fallback extends AutoCloseable {

    /** Lets everything pass. */
    Fallback PASS = (request, look) -> PassedDecision.INSTANCE;

    /**
     * Decides at once.
     *
     * @param look whether nothing is to be charged
     */
    RemoteDecision decide(SentRequest request, boolean look);

    /** Lets go what it holds. */
    @Override
    default void close() {}
}
