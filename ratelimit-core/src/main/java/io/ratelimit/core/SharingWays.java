package io.ratelimit.core;

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

    /**
     * By what is shared.
     *
     * @param eventualOnly whether hosts have no buckets in common, but tell one another what was spent
     */
    SharingWays(boolean eventualOnly) {
        this.eventualOnly = eventualOnly;
    }

    /**
     * Checks what the host's settings say.
     *
     * @throws IllegalArgumentException if they ask for what there is not
     */
    void check(StorePolicy host) {
        if (eventualOnly && isMissing(host.sharing())) {
            throw new IllegalArgumentException(
                    "setting sharing is '" + word(host.sharing()) + "': hosts that only tell one"
                            + " another what was spent have no buckets in common; write eventual, or host");
        }
    }

    /**
     * What holds for rules that say nothing themselves.
     *
     * @param host what the host's settings say
     * @throws IllegalArgumentException if they ask for what there is not
     */
    StorePolicy defaults(StorePolicy host) {
        check(host);
        return eventualOnly ? host.orElse(new StorePolicy(Sharing.EVENTUAL, null, null)) : host;
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

    private static void warn(RuleSet rules) {
        List<String> names = rules.rules().stream()
                .filter(rule -> isMissing(rule.store().sharing()))
                .map(Rule::name)
                .toList();
        if (!names.isEmpty()) {
            LOG.warn(
                    "Rules of {}: {} rules say sharing: exact or leased, {} among them; hosts that only tell one another"
                            + " what was spent share them in the way eventual: a burst may pass on each host before the"
                            + " others know",
                    rules.service(),
                    names.size(),
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
