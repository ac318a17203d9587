package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.watch.Refusals;
import io.ratelimit.core.watch.WatchedRefusal;
import io.ratelimit.rules.Rule;

/**
 * Whoever hears of decisions.
 *
 * @param listener hears of each decision and of each failure; does not throw
 * @param hasListener whether it has any use for decisions
 * @param timer tells the listener how long decisions take
 * @param refusals are looked at one by one, where anybody looks
 */
record DecisionWatch(RateLimitListener listener, boolean hasListener, DecisionTimer timer, Refusals refusals) {

    /** A listener that is not told how long decisions take. */
    static DecisionWatch of(RateLimitListener listener, boolean hasListener) {
        return new DecisionWatch(listener, hasListener, DecisionTimer.never(), Refusals.unwatched());
    }

    void decided(RequestContext context, Decision decision) {
        listener.onDecision(context, decision);
        if (!decision.allowed()) {
            refusals.tell(() -> describe(context, decision));
        }
    }

    /** A refusal of which there is no decision. */
    void refused(RequestContext context, Rule rule) {
        refusals.tell(() -> new WatchedRefusal(context, rule.name(), null, null));
    }

    private static WatchedRefusal describe(RequestContext context, Decision decision) {
        LimitStatus limit = decision.decidingLimit();
        if (limit == null) {
            return new WatchedRefusal(context, null, null, null);
        }
        return new WatchedRefusal(context, limit.rule().name(), limit, decision.clientOf(limit.rule()));
    }
}
