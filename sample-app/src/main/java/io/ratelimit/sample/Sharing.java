package io.ratelimit.sample;

import java.util.Map;

/** How the nodes share their buckets. */
interface Sharing {

    /** Not at all. */
    Sharing NONE = Map::of;

    /**
     * The settings of the next node.
     *
     * @throws StartException if there are none
     */
    Map<String, String> next();

    /** Notes where a member came to listen, so that those after it find it. */
    default void joined(HostAndPort member) {}

    /** In Redis. */
    static Sharing inRedis(String uri) {
        return () -> Map.of("redis", uri, "cluster", "orders");
    }

    /**
     * By telling one another what was spent.
     *
     * @param transport how messages travel
     * @param topology who tells whom
     * @param firstPort the first of ten ports on which hosts of this machine find one another
     */
    static Sharing inGroup(String transport, String topology, int firstPort) {
        return () -> Map.of(
                "transport",
                transport,
                "topology",
                topology,
                "memberPort",
                Integer.toString(firstPort),
                "cluster",
                "orders");
    }
}
