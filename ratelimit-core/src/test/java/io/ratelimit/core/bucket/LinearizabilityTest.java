package io.ratelimit.core.bucket;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever threads do to the buckets of a client or two at a time, the answers are those of some order of one after the other:
 * Lincheck runs random programs of a few calls on several threads, hundreds of times each, and looks for that order.
 */
@Tag("linearizability")
class LinearizabilityTest {

    @Test
    void oneLimitThatRefillsEvenly() {
        check(OneRate.class);
    }

    @Test
    void twoLimits() {
        check(TwoLimits.class);
    }

    @Test
    void aLogOfTokens() {
        check(Log.class);
    }

    private static void check(Class<?> program) {
        new StressOptions()
                .threads(3)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(15)
                .invocationsPerIteration(300)
                .check(program);
    }

    /** One token bucket. */
    public static class OneRate extends Calls {

        /** Starts with a full bucket. */
        public OneRate() {
            super(Limit.of(6, Duration.ofHours(1)));
        }
    }

    /** Two token buckets of one rule. */
    public static class TwoLimits extends Calls {

        /** Starts with full buckets. */
        public TwoLimits() {
            super(Limit.of(6, Duration.ofHours(1)), Limit.of(5, Duration.ofMinutes(1)));
        }
    }

    /** A sliding log. */
    public static class Log extends Calls {

        /** Starts with an empty log. */
        public Log() {
            super(new Limit(6, Duration.ofHours(1), 6, Algorithm.SLIDING_WINDOW_LOG));
        }
    }

    /** The calls that programs are made of. */
    @Param(name = "cost", gen = IntGen.class, conf = "0:3")
    public abstract static class Calls {

        private static final Duration TIMEOUT = Duration.ofSeconds(10);

        private final LocalBucketStore store = new LocalBucketStore(new ManualTimeSource(7), 10);
        private final ClientIdentifier alice = ClientIdentifier.of("user", "alice");
        private final ClientIdentifier bob = ClientIdentifier.of("user", "bob");
        private final BucketSpec before;
        private final BucketSpec after;
        private final Receipt first;

        Calls(Limit... limits) {
            this.before = new BucketSpec("orders", "everyone", 1, List.of(limits), StorePolicy.UNSET);
            this.after = new BucketSpec("orders", "everyone", 2, List.of(limits), StorePolicy.UNSET);
            this.first =
                    Objects.requireNonNull(spend(before, 2).charges().get(0).receipt());
        }

        /** Spends under the rules in force. */
        @Operation
        public String spend(@Param(name = "cost") int cost) {
            return told(spend(before, cost));
        }

        /** Spends without asking for more than the verdict, where that is possible. */
        @Operation
        public String verdict(@Param(name = "cost") int cost) {
            ClientBuckets buckets = store.bucketsOf(before);
            return buckets == null
                    ? String.valueOf(spend(before, cost).allowed())
                    : String.valueOf(buckets.spend(buckets.kinds().of("user"), "alice", cost));
        }

        /** Spends for another client, for whom the table makes room. */
        @Operation
        public String spendOfAnother(@Param(name = "cost") int cost) {
            return told(spend(bob, before, cost));
        }

        /** Spends under newer rules. */
        @Operation
        public String reloadAndSpend(@Param(name = "cost") int cost) {
            return told(spend(after, cost));
        }

        /** Gives back what was spent before the program began. */
        @Operation(runOnce = true)
        public void refund() {
            store.refund(first, 2).toCompletableFuture().join();
        }

        /** Forgets full buckets. */
        @Operation
        public void sweep() {
            store.sweep();
        }

        private SpendOutcome spend(BucketSpec spec, int cost) {
            return spend(alice, spec, cost);
        }

        private SpendOutcome spend(ClientIdentifier client, BucketSpec spec, int cost) {
            return store.spend(List.of(new Charge(client, spec, cost)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
        }

        private static String told(SpendOutcome outcome) {
            return outcome.allowed() + " " + outcome.charges().get(0).limits();
        }
    }
}
