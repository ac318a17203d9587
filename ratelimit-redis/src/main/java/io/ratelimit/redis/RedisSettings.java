package io.ratelimit.redis;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a store in Redis, read from the texts that init-params and flags are.
 *
 * @param location where Redis is
 * @param namespace what all keys begin with
 * @param clusterSecret the secret, or null for one that the first host makes
 */
record RedisSettings(
        RedisLocation location, String namespace, @Nullable String clusterSecret) {

    /** Says where Redis is; without it no store is asked for. */
    static final String LOCATION = "redis";

    private static final String NAMESPACE = "cluster";
    private static final String SECRET = "clusterSecret";

    static final Set<String> NAMES = Set.of(LOCATION, NAMESPACE, SECRET);

    private static final String DEFAULT_NAMESPACE = "ratelimit";

    /**
     * Reads settings.
     *
     * @throws IllegalArgumentException if a value is missing or not valid; the message names the setting, the value and
     *     what would be right
     */
    static RedisSettings parse(Map<String, String> settings) {
        String secret = settings.containsKey(SECRET) ? text(settings, SECRET, "") : null;
        return new RedisSettings(
                RedisLocation.parse(text(settings, LOCATION, "")),
                text(settings, NAMESPACE, DEFAULT_NAMESPACE),
                secret);
    }

    private static String text(Map<String, String> settings, String name, String byDefault) {
        String text = settings.getOrDefault(name, byDefault).strip();
        if (text.isEmpty()) {
            throw new IllegalArgumentException("setting " + name + " is '" + text + "': it must not be empty");
        }
        return text;
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "namespace '" + namespace + "' at " + location;
    }
}
