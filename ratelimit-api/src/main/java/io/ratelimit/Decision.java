package io.ratelimit;

import io.ratelimit.rules.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer to one request. Immutable and safe for use by any thread.
 */
public interface Decision {

    /**
     * The request attribute, and the request property of JAX-RS, under which filter and feature leave the decision that let
     * the request pass, for an application that knows what it really cost: {@code decision.settlement().confirm(cost)}.
     * Where a filter let the request pass and an annotation refused it, it is the refusal, for filters of responses. Not there
     * where the limiter did not decide: behind no filter, for preflights, and when it failed. Of several limiters it is the
     * last one's.
     */
    String ATTRIBUTE = "io.ratelimit.Decision";

    /** Why a request passed or was refused. */
    enum Reason {
        /** No limit applies: no rule matches, the request is exempt or the client unlimited. */
        NO_LIMIT,
        /** All limits had enough tokens, and these were spent. */
        WITHIN_LIMITS,
        /** A limit had too few tokens; nothing was spent. */
        LIMIT_EXCEEDED,
        /** The buckets could not be asked, and {@code onFailure} answered for at least one rule. */
        FAILURE
    }

    /**
     * Whether the request may pass.
     *
     * @return true if it may
     */
    boolean allowed();

    /**
     * Why the request passed or was refused.
     *
     * @return the reason, never null
     */
    Reason reason();

    /**
     * The limit that decided: of a refusal the one that makes the client wait longest, otherwise the one with the
     * fewest tokens left.
     *
     * @return the limit, or null where none was asked
     */
    @Nullable
    LimitStatus decidingLimit();

    /**
     * The rule of the {@linkplain #decidingLimit() deciding limit}, for a caller that asks for each request.
     *
     * @return the rule, or null where no limit was asked
     */
    default @Nullable Rule decidingRule() {
        LimitStatus deciding = decidingLimit();
        return deciding == null ? null : deciding.rule();
    }

    /**
     * The state of every limit that was asked and may refuse, in the order of the rules file.
     *
     * @return the limits, empty where none was asked
     */
    List<LimitStatus> limits();

    /**
     * Tells what {@link #limits()} tells, for a caller that asks for each request: nothing is made that is thrown away.
     *
     * @param visitor hears of each limit, in the same order
     */
    default void forEachLimit(LimitVisitor visitor) {
        for (LimitStatus status : limits()) {
            visitor.visit(status.limit(), status.policy(), status.state());
        }
    }

    /**
     * The limits of shadow rules that would have refused the request, had they been in force.
     *
     * @return the limits, empty where none would have
     */
    default List<LimitStatus> shadowRefusals() {
        return List.of();
    }

    /**
     * Whose bucket a rule was asked for.
     *
     * @param rule a rule that the request was decided by
     * @return the client, or null where the rule was not asked
     */
    default @Nullable ClientIdentifier clientOf(Rule rule) {
        return null;
    }

    /**
     * Whether somebody must say how the request went: a rule charges by the response, or counts requests that are under
     * way. A caller that cannot may not let such a request pass unsettled.
     *
     * @return true if {@link #settlement()} must be settled
     */
    default boolean mustBeSettled() {
        return false;
    }

    /**
     * What the request was charged, for whoever knows later how it went.
     *
     * @return the settlement, settled at most once; {@link Settlement#NOTHING} where nothing was charged
     */
    default Settlement settlement() {
        return Settlement.NOTHING;
    }

    /**
     * The tokens left in the deciding limit.
     *
     * @return at least 0; {@link Long#MAX_VALUE} where no limit was asked
     */
    default long remaining() {
        LimitStatus deciding = decidingLimit();
        return deciding == null ? Long.MAX_VALUE : deciding.remaining();
    }

    /**
     * The time after which the same request would pass if nobody else spent tokens meanwhile.
     *
     * @return zero for an allowed request; empty for a refused one that no waiting can help, or where nobody
     *     knows how long: a limit of concurrency is full, or the limits could not be asked
     */
    default Optional<Duration> retryAfter() {
        if (allowed()) {
            return Optional.of(Duration.ZERO);
        }
        LimitStatus deciding = decidingLimit();
        return deciding == null ? Optional.empty() : deciding.retryAfter();
    }
}
