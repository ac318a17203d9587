package io.ratelimit.benchmarks.daemon;

/** Asks for decisions by one way. Safe for use by any number of threads. */
interface Asking extends AutoCloseable {

    /**
     * Asks for one decision and waits for it.
     *
     * @param client whose
     * @return whether it was decided by limits, and may pass
     */
    boolean ask(String client);

    @Override
    void close();
}
