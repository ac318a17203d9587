package io.ratelimit.benchmarks;

/** Many clients, each with the same limit of its own. Thread-safe. */
public interface ClientTable {

    /**
     * Takes a token of a client; one that is not known yet has all of them.
     *
     * @param client the client's name
     * @return whether there was one
     */
    boolean tryAcquire(String client);
}
