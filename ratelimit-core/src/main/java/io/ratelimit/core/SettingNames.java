package io.ratelimit.core;

import io.ratelimit.core.rules.NearestWord;
import java.util.Collection;
import java.util.Set;

/**
 * The settings that a way in understands. An unknown one is an error, since a misspelt setting that is ignored leaves
 * a service without what it was meant to set.
 */
public final class SettingNames {

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
     * @throws IllegalArgumentException if one is unknown; the message names the nearest valid one, and all
     */
    public void check(Collection<String> given) {
        for (String name : given) {
            if (!known.contains(name)) {
                throw new IllegalArgumentException("unknown setting '" + name + "'" + NearestWord.hint(name, known));
            }
        }
    }
}
