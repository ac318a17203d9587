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
}
