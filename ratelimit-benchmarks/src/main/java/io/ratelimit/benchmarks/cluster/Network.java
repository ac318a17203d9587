package io.ratelimit.benchmarks.cluster;

import io.ratelimit.benchmarks.FreePorts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Where the hosts of a run are, and what can happen between them. Used by one thread. */
interface Network extends AutoCloseable {

    /** A kind of network. */
    enum Kind {
        /** The loopback address. */
        LOOPBACK,
        /** A network namespace for each host, so that packets can get lost. */
        NAMESPACES,
        /** The loopback address, with a proxy before each host that can delay or lose what is sent. */
        PROXIES;

        /**
         * Makes the network.
         *
         * @param hosts how many hosts there may be
         */
        Network make(int hosts) throws IOException, InterruptedException {
            return switch (this) {
                case LOOPBACK -> new Loopback(FreePorts.find(hosts));
                case NAMESPACES -> Namespaces.of(hosts);
                case PROXIES -> Proxies.of(hosts);
            };
        }
    }

    /** What is written before the command that starts a host. */
    List<String> prefix(int host);

    /**
     * The settings of a host that say where it is and where the others are.
     *
     * @param cluster the cluster's name
     * @param directory for files
     */
    Map<String, String> settings(int host, String cluster, Path directory) throws IOException;

    /** Does something to what a host sends and is sent. */
    void begin(Scenario.Action action, int host) throws IOException, InterruptedException;

    /** All arrives again as it should. */
    void heal(int host) throws IOException, InterruptedException;

    @Override
    void close() throws IOException;
}
