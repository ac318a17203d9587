package io.ratelimit.core.match;

import io.ratelimit.rules.Rule;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports what could not be read of a request, once for each place in the rules that asked for it. What was thrown may
 * quote the request, so a warning tells its kind only. Thread-safe.
 */
final class UnreadableRequests {

    private static final Logger LOG = LoggerFactory.getLogger(CompiledRules.class);

    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    /**
     * Reports one.
     *
     * @param place the part of the rules, one of as many as there are
     * @param consequence what becomes of that part
     */
    void report(String place, String consequence, Throwable fault) {
        if (reported.add(place)) {
            LOG.warn(
                    "What {} asks for cannot be read of a request ({}): {}; this is reported once",
                    place,
                    fault.getClass().getName(),
                    consequence);
        }
        LOG.debug("What {} asks for cannot be read of a request", place, fault);
    }

    /** Reports one that a rule's key cannot be read of. */
    void reportKey(Rule rule, Throwable fault) {
        report("the key of rule '" + rule.name() + "'", "the rule does not apply to it", fault);
    }
}
