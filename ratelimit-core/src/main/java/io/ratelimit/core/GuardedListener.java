package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.RuleSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a listener throws away from whoever tells it news: it is logged once. Wrapped around each of the
 * application's listeners where an engine is built, so that nobody else need think of it. Thread-safe.
 */
final class GuardedListener implements RateLimitListener {

    private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);

    private final RateLimitListener listener;
    private final AtomicBoolean reported = new AtomicBoolean();

    GuardedListener(RateLimitListener listener) {
        this.listener = listener;
    }

    @Override
    public void onDecision(RequestContext context, Decision decision) {
        guard(() -> listener.onDecision(context, decision));
    }

    @Override
    public void onDecisionTime(long nanos) {
        guard(() -> listener.onDecisionTime(nanos));
    }

    @Override
    public void onStoreTime(long nanos) {
        guard(() -> listener.onStoreTime(nanos));
    }

    @Override
    public void onKeys(long keys) {
        guard(() -> listener.onKeys(keys));
    }

    @Override
    public void onWaiting(long waiting) {
        guard(() -> listener.onWaiting(waiting));
    }

    @Override
    public void onReload(RuleSet rules) {
        guard(() -> listener.onReload(rules));
    }

    @Override
    public void onFailure(String kind, Throwable cause) {
        guard(() -> listener.onFailure(kind, cause));
    }

    @Override
    public void onClose() {
        guard(listener::onClose);
    }

    /** Errors among it: a listener that lacks half its classes is no reason to refuse a request or rules. */
    private void guard(Runnable news) {
        try {
            news.run();
        } catch (Throwable e) {
            if (reported.compareAndSet(false, true)) {
                LOG.error("A listener failed; this is reported once", e);
            }
        }
    }
}
