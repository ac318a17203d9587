package io.ratelimit.core.reconcile;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.core.bucket.SharedBucket;
import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.List;

/**
 * How much later than it was spent, what was told of a client counts in a shared bucket. A full bucket does not refill: if
 * it is told of what was spent a moment ago, it is full again that moment later, and so until it has been full once more.
 * Whoever spends at just the rate of a small bucket would meet with a refusal each time, though nobody else has spent
 * anything. So what the bucket says counts as said earlier by as much. Not thread-safe.
 */
final class Lateness {

    /** What stores round away, which count in microseconds. */
    private static final double ROUNDING_NANOS = 2_000;

    private long[] lateNanos = {};
    private long[] fullNanos = {};

    /**
     * Hears the answer of a shared bucket.
     *
     * @param limits its limits
     * @param seen what it says of them, after it was told
     * @param told the tokens that it was told of
     * @param spentNanos when the first of them was spent
     * @param sentNanos when it was told
     * @param nanos the time
     * @return for each limit, what is said of it and how long ago that counts as said
     */
    List<SharedBucket.Seen> heard(
            List<Limit> limits, List<LimitState> seen, long told, long spentNanos, long sentNanos, long nanos) {
        boolean known = lateNanos.length == limits.size();
        long[] late = new long[limits.size()];
        long[] full = new long[late.length];
        List<SharedBucket.Seen> heard = new ArrayList<>(late.length);
        for (int i = 0; i < late.length; i++) {
            double missing = missingNanos(limits.get(i), seen.get(i));
            boolean wasFull = missing <= told * tokenNanos(limits.get(i)) + ROUNDING_NANOS;
            boolean goesOn = known && sentNanos - fullNanos[i] < 0;
            late[i] = wasFull ? nanos - spentNanos : goesOn ? lateNanos[i] : 0;
            full[i] = LongMath.saturatedAdd(nanos, (long) missing);
            // When it was given while the call was under way is unknown: nobody is to be refused for that.
            heard.add(new SharedBucket.Seen(seen.get(i), late[i] + (nanos - sentNanos)));
        }
        lateNanos = late;
        fullNanos = full;
        return heard;
    }

    /** How long a bucket takes until it is full. */
    private static double missingNanos(Limit limit, LimitState seen) {
        long missing = limit.capacity() - seen.remaining();
        return missing <= 0 ? 0 : (missing - 1) * tokenNanos(limit) + seen.nextTokenNanos();
    }

    private static double tokenNanos(Limit limit) {
        return (double) limit.period().toNanos() / limit.tokens();
    }
}
