package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.RuleSet;
import java.util.List;

/** Tells several listeners, one after the other; what one throws does not keep the news from the next. Thread-safe. */
final class Listeners implements RateLimitListener {

    private final GuardedListener[] listeners;

    Listeners(List<RateLimitListener> listeners) {
        this.listeners = listeners.stream().map(GuardedListener::new).toArray(GuardedListener[]::new);
    }

    @Override
    public void onDecision(RequestContext context, Decision decision) {
        for (GuardedListener listener : listeners) {
            listener.onDecision(context, decision);
        }
    }

    @Override
    public void onDecisionTime(long nanos) {
        for (GuardedListener listener : listeners) {
            listener.onDecisionTime(nanos);
        }
    }

    @Override
    public void onStoreTime(long nanos) {
        for (GuardedListener listener : listeners) {
            listener.onStoreTime(nanos);
        }
    }

    @Override
    public void onKeys(long keys) {
        for (GuardedListener listener : listeners) {
            listener.onKeys(keys);
        }
    }

    @Override
    public void onWaiting(long waiting) {
        for (RateLimitListener listener : listeners) {
            listener.onWaiting(waiting);
        }
    }

    @Override
    public void onReload(RuleSet rules) {
        for (GuardedListener listener : listeners) {
            listener.onReload(rules);
        }
    }

    @Override
    public void onFailure(String kind, Throwable cause) {
        for (GuardedListener listener : listeners) {
            listener.onFailure(kind, cause);
        }
    }

    @Override
    public void onClose() {
        for (GuardedListener listener : listeners) {
            listener.onClose();
        }
    }
}
