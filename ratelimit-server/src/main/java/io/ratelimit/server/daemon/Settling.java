package io.ratelimit.server.daemon;

import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import org.jspecify.annotations.Nullable;

/**
 * How a request went, as JSON has it.
 *
 * @param receipt names what was charged
 * @param outcome what becomes of the charges
 * @param status the response's HTTP status, which {@code complete} needs
 * @param cost what the request turned out to cost, in tokens, or null where that is what was charged
 */
record Settling(
        String receipt,
        Outcome outcome,
        @Nullable Integer status,
        @Nullable Long cost) {

    private static final int LOWEST_STATUS = 100;
    private static final int HIGHEST_STATUS = 599;

    /** What becomes of charges. */
    @SuppressWarnings("checkstyle:ConstantName")
    enum Outcome {
        /** They stand. */
        confirm,
        /** They are given back. */
        refund,
        /** The response decides. */
        complete
    }

    /** Checks what JSON cannot say by itself. */
    Settling {
        if (receipt == null) {
            throw new BadQuestionException("the field 'receipt' is missing: it is in the answer of /v1/decide");
        }
        if (outcome == null) {
            throw new BadQuestionException("the field 'outcome' is missing: it must be confirm, refund or complete");
        }
        if (cost != null && cost < 0) {
            throw new BadQuestionException("the field 'cost' is " + cost + ": it must be 0 or more tokens");
        }
        if (outcome == Outcome.complete && (status == null || status < LOWEST_STATUS || status > HIGHEST_STATUS)) {
            throw new BadQuestionException("the field 'status' must be the response's HTTP status, 100 to 599, where"
                    + " 'outcome' is complete");
        }
    }

    /** Settles; false where somebody has before. */
    boolean settle(Settlement settlement) {
        long tokens = cost == null ? RequestContext.NO_COST : cost;
        return switch (outcome) {
            case confirm -> settlement.confirm(tokens);
            case refund -> settlement.refund();
            case complete -> settlement.complete(status == null ? 0 : status, tokens);
        };
    }
}
