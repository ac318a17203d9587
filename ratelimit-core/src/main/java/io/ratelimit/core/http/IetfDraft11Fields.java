package io.ratelimit.core.http;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import java.util.List;

/**
 * {@code RateLimit-Policy} and {@code RateLimit} of draft-ietf-httpapi-ratelimit-headers-11, in the list syntax of RFC
 * 9651. The names of limits hold no character that a string of RFC 9651 would have to escape.
 *
 * <p>{@code w} is the time that an empty bucket takes to fill, so that {@code r} never exceeds {@code q}; it is left out
 * where time alone brings nothing, as of requests that are under way. {@code t} of
 * an allowed answer is the time to the next token. A refusal tells the state of the limits that refused only, with the
 * time until each admits the same request: what other limits have left would send the client back too early.
 */
final class IetfDraft11Fields {

    static final String POLICY = "RateLimit-Policy";
    static final String STATE = "RateLimit";

    private IetfDraft11Fields() {}

    static void add(Decision decision, List<LimitStatus> limits, List<HeaderField> fields) {
        StringBuilder policies = new StringBuilder();
        StringBuilder states = new StringBuilder();
        for (LimitStatus status : limits) {
            appendPolicy(policies, status);
            if (decision.allowed() || !status.admits()) {
                appendState(states, status);
            }
        }
        fields.add(new HeaderField(POLICY, policies.toString()));
        fields.add(new HeaderField(STATE, states.toString()));
    }

    private static void appendPolicy(StringBuilder text, LimitStatus status) {
        appendName(text, status);
        text.append(";q=").append(status.limit().capacity());
        if (Waits.isTimed(status.limit())) {
            text.append(";w=").append(Waits.toFill(status.limit()));
        }
    }

    private static void appendState(StringBuilder text, LimitStatus status) {
        appendName(text, status);
        text.append(";r=").append(status.remaining());
        long wait = status.admits() ? Waits.untilNextToken(status.state()) : Waits.untilAdmitted(status.state());
        if (wait > 0) {
            text.append(";t=").append(wait);
        }
    }

    private static void appendName(StringBuilder text, LimitStatus status) {
        text.append(text.isEmpty() ? "" : ", ")
                .append('"')
                .append(status.policy())
                .append('"');
    }
}
