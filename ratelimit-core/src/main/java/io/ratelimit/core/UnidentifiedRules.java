package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.rules.Rule;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells of rules whose key a request does not carry: operators once for each rule, the listener each time. Anybody can
 * send such requests, so that telling must cost next to nothing. Thread-safe.
 */
final class UnidentifiedRules {

    private static final Logger LOG = LoggerFactory.getLogger(TokenBucketRateLimiter.class);

    private final RateLimitListener listener;
    private final ConcurrentMap<String, MissingIdentity> known = new ConcurrentHashMap<>();

    UnidentifiedRules(RateLimitListener listener) {
        this.listener = listener;
    }

    void report(Rule rule) {
        MissingIdentity cause = known.get(rule.name());
        if (cause == null) {
            cause = known.computeIfAbsent(rule.name(), name -> reportFirst(rule));
        }
        listener.onFailure("identity-missing", cause);
    }

    private static MissingIdentity reportFirst(Rule rule) {
        LOG.warn(
                "Rule '{}' does not apply to requests without what its key {} is built from; this is reported once",
                rule.name(),
                rule.key());
        return new MissingIdentity(rule.name());
    }

    /** Says nothing that is not the same for all requests, so that one without a stack serves them all. */
    private static final class MissingIdentity extends RuntimeException {

        private static final long serialVersionUID = 1L;

        MissingIdentity(String rule) {
            super("no key for rule '" + rule + "'", null, false, false);
        }
    }
}
