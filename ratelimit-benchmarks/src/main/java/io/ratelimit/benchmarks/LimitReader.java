package io.ratelimit.benchmarks;

import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitVisitor;
import io.ratelimit.rules.Limit;

/** Reads of decisions what the headers of a response tell. Used by one thread. */
final class LimitReader implements LimitVisitor {

    private long sum;

    /** The tokens left and the waits of each limit, in one number. */
    long read(Decision decision) {
        sum = 0;
        decision.forEachLimit(this);
        return sum;
    }

    @Override
    public void visit(Limit limit, String policy, LimitState state) {
        sum += state.remaining() + state.waitNanos() + state.nextTokenNanos();
    }
}
