package io.ratelimit.core;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.core.report.RecordedRequest;
import io.ratelimit.core.report.RequestRecorder;
import io.ratelimit.core.watch.Refusals;
import io.ratelimit.core.watch.WatchedRefusal;
import io.ratelimit.rules.Rule;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whoever hears of decisions.
 *
 * @param listener hears of each decision and of each failure; does not throw
 * @param listening whether it has any use for decisions now
 * @param timer tells the listener how long decisions take
 * @param refusals are looked at one by one, where anybody looks
 * @param recorder records requests, or null where nobody wants them
 */
record DecisionWatch(
        RateLimitListener listener,
        BooleanSupplier listening,
        DecisionTimer timer,
        Refusals refusals,
        @Nullable RequestRecorder recorder) {

    /** A listener that is not told how long decisions take. */
    static DecisionWatch of(RateLimitListener listener, boolean listening) {
        return new DecisionWatch(listener, () -> listening, DecisionTimer.never(), Refusals.unwatched(), null);
    }

    boolean isHeard() {
        return listening.getAsBoolean();
    }

    /**
     * Looks at a request on the thread that it belongs to.
     *
     * @param decision what was decided, or null where that is not known yet
     * @return what {@link #decided} needs; null where the request is not recorded
     */
    @Nullable
    RecordedRequest look(RequestContext context, @Nullable Decision decision) {
        return recorder == null ? null : recorder.look(context, decision);
    }

    /**
     * Tells of a decision.
     *
     * @param seen the request as it was {@linkplain #look looked at}
     * @return the decision to go on with
     */
    Decision decided(RequestContext context, @Nullable RecordedRequest seen, Decision decision) {
        listener.onDecision(context, decision);
        if (!decision.allowed()) {
            refusals.tell(() -> describe(context, decision));
        }
        if (recorder == null || seen == null) {
            return decision;
        }
        Decision own = decision == EngineDecision.NO_LIMIT ? EngineDecision.noLimit() : decision;
        recorder.record(seen, own);
        return own;
    }

    /** Another decision is going to stand for the request. */
    void forget(Decision decision) {
        if (recorder != null) {
            recorder.forget(decision);
        }
    }

    /** The request of a decision was settled by its answer. */
    void answered(Decision decision, int status) {
        if (recorder != null) {
            recorder.answered(decision, status);
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
