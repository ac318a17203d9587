package io.ratelimit.core.match;

import io.ratelimit.rules.StorePolicy;

/**
 * How rules use the shared store that say nothing of it themselves: as the host's settings say, or else as the top of the
 * rules file does, or else as is built in. Immutable.
 *
 * @param host what the host's settings say
 * @param builtIn what holds where nothing is said; nothing is left open
 */
public record StoreDefaults(StorePolicy host, StorePolicy builtIn) {

    /** With what is built in for hosts that share buckets. */
    static StoreDefaults of(StorePolicy host) {
        return new StoreDefaults(host, StorePolicy.BUILT_IN);
    }

    /**
     * What holds for rules.
     *
     * @param file what the top of their file says
     * @return a policy that leaves nothing open
     */
    StorePolicy with(StorePolicy file) {
        return host.orElse(file).orElse(builtIn);
    }
}
