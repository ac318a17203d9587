package io.ratelimit.core;

import io.ratelimit.core.rules.NearestWord;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings that a way in understands. An unknown one is an error, since a misspelt setting that is ignored leaves
 * a service without what it was meant to set.
 */
public final class SettingNames {

    /** Settings that are known only where the module that they belong to is on the class path. */
    private static final Map<String, Set<String>> OF_MODULES = Map.of(
            "ratelimit-hazelcast", Set.of("cluster", "members", "memberPort", "memberAddress", "clusterSecret"),
            "ratelimit-jgroups", Set.of("transport", "topology"),
            "ratelimit-redis", Set.of("redis"),
            "ratelimit-servlet's filter", Set.of("headers", "resetFormat", "responder"));

    private final Set<String> known;

    /**
     * Names the settings.
     *
     * @param known the names, in lowerCamel
     */
    public SettingNames(Set<String> known) {
        this.known = Set.copyOf(known);
    }

    /**
     * Checks that all given settings are known.
     *
     * @param given the names
     * @throws IllegalArgumentException if one is unknown; the message says where it belongs, or names
     *     the nearest valid one, and all valid ones
     */
    public void check(Collection<String> given) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown setting '" + name + "'" + hint(name) + " (valid here: "
                        + String.join(", ", new TreeSet<>(known)) + ")");
            }
        }
    }

    private String hint(String name) {
        for (Map.Entry<String, Set<String>> module : OF_MODULES.entrySet()) {
            if (module.getValue().contains(name)) {
                return "; it belongs to " + module.getKey() + ", which is not on the class path or not used here";
            }
        }
        return NearestWord.hint(name, known);
    }
}
