package io.ratelimit.core.report;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what one rule decides. What was told before is subtracted rather than reset, so that no count is lost that comes at
 * the same moment. Thread-safe, but for {@link #next}, which one thread calls at a time.
 */
final class RuleCounter {

    private final LongAdder allowed = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder shadow = new LongAdder();
    private RuleCounts told = RuleCounts.NONE;

    void count(boolean passes) {
        (passes ? allowed : refused).increment();
    }

    void countShadow() {
        shadow.increment();
    }

    /** What was counted since the last call. */
    RuleCounts next() {
        RuleCounts now = new RuleCounts(allowed.sum(), refused.sum(), shadow.sum());
        RuleCounts more = now.since(told);
        told = now;
        return more;
    }
}
