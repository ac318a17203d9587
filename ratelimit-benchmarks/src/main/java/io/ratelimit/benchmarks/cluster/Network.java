package io.ratelimit.benchmarks.cluster;

import java.io.IOException;
import java.util.List;

/** Where the hosts of a run are, and what can happen between them. Used by one thread. */
interface Network extends AutoCloseable {

    /** A host's address. */
    String address(int host);

    /** What is written before the command that starts a host. */
    List<String> prefix(int host);

    /** Cuts a host off from all others. */
    void cut(int host) throws IOException, InterruptedException;

    /** What a host sends to others is lost; what they send arrives. */
    void mute(int host) throws IOException, InterruptedException;

    /** All arrives again. */
    void heal(int host) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
