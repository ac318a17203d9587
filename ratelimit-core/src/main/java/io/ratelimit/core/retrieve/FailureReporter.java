package io.ratelimit.core.retrieve;

import io.ratelimit.RateLimitListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listener of failures; what it throws is logged once. */
final class FailureReporter {

    private static final Logger LOG = LoggerFactory.getLogger(FailureReporter.class);

    private final RateLimitListener listener;
    private boolean thrown;

    FailureReporter(RateLimitListener listener) {
        this.listener = listener;
    }

    void tell(Throwable why) {
        try {
            listener.onFailure("rules", why);
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            if (!thrown) {
                thrown = true;
                LOG.warn("A listener failed on a failure of the rules; this is reported once", e);
            }
        }
    }
}
