package io.ratelimit.core;

import io.ratelimit.core.match.StoreDefaults;
import io.ratelimit.core.retrieve.RulesTarget;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How rules can be shared with what this host has: where hosts have no buckets in common but only tell one another what was
 * spent, rules are shared in the way {@code eventual}, whatever they say.
 */
final class SharingWays {

    private static final Logger LOG = LoggerFactory.getLogger(SharingWays.class);
    private static final int MOST_NAMED = 10;

    private final boolean eventualOnly;
    private final StorePolicy host;

    /**
     * By what is shared.
     *
     * @param eventualOnly whether hosts have no buckets in common, but tell one another what was spent
     * @param host what the host's settings say
     * @throws IllegalArgumentException if they ask for what there is not
     */
    SharingWays(boolean eventualOnly, StorePolicy host) {
        check(eventualOnly, host);
        this.eventualOnly = eventualOnly;
        this.host = host;
    }

    /**
     * Checks what the host's settings say.
     *
     * @throws IllegalArgumentException if they ask for what there is not
     */
    static void check(boolean eventualOnly, StorePolicy host) {
        if (eventualOnly && isMissing(host.sharing())) {
            throw new IllegalArgumentException(
                    "setting sharing is '" + word(host.sharing()) + "': hosts that only tell one"
                            + " another what was spent have no buckets in common; write eventual, or host");
        }
    }

    /** What holds for rules that say nothing themselves. */
    StoreDefaults defaults() {
        StorePolicy eventual = new StorePolicy(Sharing.EVENTUAL, null, null);
        return new StoreDefaults(host, eventualOnly ? eventual.orElse(StorePolicy.BUILT_IN) : StorePolicy.BUILT_IN);
    }

    /** Rules that are put in force, with a warning for those that ask for what there is not. */
    RulesTarget watched(RulesTarget target) {
        return eventualOnly
                ? rules -> {
                    target.replace(rules);
                    warn(rules);
                }
                : target;
    }

    private void warn(RuleSet rules) {
        StorePolicy unsaid = host.orElse(rules.store());
        List<String> names = rules.rules().stream()
                .filter(rule -> isMissing(rule.store().orElse(unsaid).sharing()))
                .map(Rule::name)
                .toList();
        if (!names.isEmpty()) {
            LOG.warn(
                    "Rules of {}: sharing: exact or leased is asked for by {} of {}, {} among them; hosts that only tell one"
                            + " another what was spent share them in the way eventual: a burst may pass on each host before"
                            + " the others know",
                    rules.service(),
                    names.size(),
                    rules.rules().size(),
                    names.subList(0, Math.min(MOST_NAMED, names.size())));
        }
    }

    private static boolean isMissing(@Nullable Sharing sharing) {
        return sharing == Sharing.EXACT || sharing == Sharing.LEASED;
    }

    private static String word(@Nullable Sharing sharing) {
        return sharing == null ? "" : sharing.name().toLowerCase(Locale.ROOT);
    }
}
