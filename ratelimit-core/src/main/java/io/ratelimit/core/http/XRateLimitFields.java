package io.ratelimit.core.http;

import io.ratelimit.LimitStatus;
import io.ratelimit.TimeSource;

/**
 * The widespread {@code X-RateLimit-} fields, which tell of one limit: the one that decided. {@code -Reset} is the point
 * of the next token, of a refusal the one that {@code Retry-After} tells; it is left out where waiting cannot help.
 */
final class XRateLimitFields {

    static final String LIMIT = "X-RateLimit-Limit";
    static final String REMAINING = "X-RateLimit-Remaining";
    static final String RESET = "X-RateLimit-Reset";
    static final String RETRY_AFTER = "X-RateLimit-Retry-After";

    private final ResetFormat resetFormat;
    private final TimeSource timeSource;

    XRateLimitFields(ResetFormat resetFormat, TimeSource timeSource) {
        this.resetFormat = resetFormat;
        this.timeSource = timeSource;
    }

    void tell(LimitStatus deciding, FieldSink sink) {
        sink.set(LIMIT, Long.toString(deciding.limit().capacity()));
        sink.set(REMAINING, Long.toString(deciding.remaining()));
        long wait = deciding.admits() ? Waits.untilNextToken(deciding.state()) : Waits.untilAdmitted(deciding.state());
        if (wait != Waits.NONE && Waits.isTimed(deciding.limit())) {
            sink.set(RESET, Long.toString(resetFormat.after(wait, timeSource)));
        }
    }
}
