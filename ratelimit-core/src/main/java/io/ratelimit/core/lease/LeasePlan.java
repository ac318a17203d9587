package io.ratelimit.core.lease;

import com.google.common.math.LongMath;
import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How the buckets of a rule are leased. All hosts together hold at most an eighth of a bucket, and the shared bucket holds
 * that much less, so that both together never hold more than the limit allows: in any time w, clients get what was leased
 * at its beginning (an eighth of B at most) and what the shared bucket gives (the rest of B, and R·w). Immutable.
 *
 * <p>A cost that the smaller bucket can never hold is charged by the rule's own limits under the oldest of versions. Newer
 * limits count, those of the shared bucket whatever their version is, so that such a cost is admitted once that is
 * forgotten, when it has been full for longer than any lease lasts.
 *
 * @param whole what a cost is charged to that the shared buckets never hold
 * @param shared what the shared buckets are made from while tokens are leased
 * @param most tokens that this host may hold for a client; 0 where each request is to be charged by itself
 */
record LeasePlan(BucketSpec whole, BucketSpec shared, long most) {

    private static final long PARTS = 8;

    /** Fewer tokens than this are no lease: each request might as well ask. */
    static final long LEAST = 2;

    /** How long after it is full a shared bucket is forgotten at the latest. */
    static final Duration FORGOTTEN = Duration.ofSeconds(3);

    /**
     * Plans for a known number of hosts.
     *
     * @param spec the rule's buckets
     * @param hosts how many share them, at least 1
     */
    static LeasePlan settled(BucketSpec spec, int hosts) {
        long most = most(spec, hosts);
        return new LeasePlan(oldest(spec), most == 0 ? spec : without(spec, hosts * most), most);
    }

    /**
     * Plans for a time in which not all hosts may know how many they are: the shared buckets leave room for any number.
     *
     * @param spec the rule's buckets
     * @param hosts the most that there may be; 0 where that is not known, and nothing is leased
     */
    static LeasePlan unsettled(BucketSpec spec, int hosts) {
        long room = most(spec, 1);
        return new LeasePlan(oldest(spec), room == 0 ? spec : without(spec, room), hosts == 0 ? 0 : most(spec, hosts));
    }

    /** Whether a cost can only be paid while nothing is leased. */
    boolean isLarge(long cost) {
        for (Limit limit : shared.limits()) {
            if (cost > limit.capacity()) {
                return true;
            }
        }
        return false;
    }

    /**
     * What limits have answered to a large cost, with the wait until nothing is leased where the smaller bucket says never.
     *
     * @param cost the cost
     * @param states of the shared bucket's limits
     */
    List<LimitState> promised(long cost, List<LimitState> states) {
        List<LimitState> promised = new ArrayList<>(states.size());
        for (int i = 0; i < states.size(); i++) {
            LimitState state = states.get(i);
            boolean isHeld = cost <= whole.limits().get(i).capacity();
            promised.add(
                    state.waitNanos() == LimitState.NEVER && isHeld
                            ? new LimitState(state.remaining(), forgottenNanos(i, state), state.nextTokenNanos())
                            : state);
        }
        return promised;
    }

    private long forgottenNanos(int index, LimitState state) {
        LimitAlgorithm limit = LimitAlgorithm.of(shared.limits().get(index));
        Moment now = Moment.ofNanos(0);
        return LongMath.saturatedAdd(limit.fullNanos(limit.ofSeen(state, now), now), FORGOTTEN.toNanos());
    }

    /** Tokens of another time, such as a window that is over, must not be spent later: only even refill is leased. */
    private static long most(BucketSpec spec, int hosts) {
        long most = Long.MAX_VALUE;
        for (Limit limit : spec.limits()) {
            boolean even = LimitAlgorithm.of(limit) instanceof TokenBucket;
            most = Math.min(most, even ? limit.capacity() / PARTS / hosts : 0);
        }
        return most < LEAST ? 0 : most;
    }

    private static BucketSpec oldest(BucketSpec spec) {
        return new BucketSpec(spec.service(), spec.name(), 0, spec.limits(), spec.policy());
    }

    private static BucketSpec without(BucketSpec spec, long tokens) {
        List<Limit> limits = spec.limits().stream()
                .map(limit -> new Limit(
                        limit.tokens(), limit.period(), limit.capacity() - tokens, limit.algorithm(), limit.options()))
                .toList();
        return new BucketSpec(spec.service(), spec.name(), spec.version(), limits, spec.policy());
    }
}
