package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A thread that has read the clock may lose its processor, and goes on when others have spent at a later time. */
class SlowReaderTest {

    private static final Limit FAST = new Limit(1_000, Duration.ofSeconds(1), 10, Algorithm.TOKEN_BUCKET);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    /** Lets something happen after it was read once. */
    private static final class InterruptedClock implements TimeSource {

        private long nanos;
        private Runnable next = () -> {};

        @Override
        public long nanoTime() {
            long read = nanos;
            Runnable happening = next;
            next = () -> {};
            happening.run();
            return read;
        }

        @Override
        public long currentTimeMillis() {
            return 0;
        }
    }

    static Stream<List<Limit>> limits() {
        return Stream.of(List.of(FAST), List.of(FAST, Limit.of(1_000_000, Duration.ofHours(1))));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aVerdictIsNoRefusalWhereTokensAreLeft(List<Limit> limits) {
        InterruptedClock clock = new InterruptedClock();
        LocalBucketStore store = new LocalBucketStore(clock, 10);
        BucketSpec spec = new BucketSpec("orders", "everyone", 1, limits, StorePolicy.UNSET);
        ClientBuckets buckets = Objects.requireNonNull(store.bucketsOf(spec));
        ClientKind users = buckets.kinds().of("user");
        buckets.spend(users, "alice", 0);
        interrupt(clock, () -> buckets.spend(users, "alice", 1));
        assertThat(buckets.spend(users, "alice", 1)).isEqualTo(Verdict.ALLOWED);
        interrupt(clock, () -> buckets.spend(users, "alice", 1));
        assertThat(buckets.spendInDetail(users, "alice", 1).allowed()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("limits")
    void aChargeIsNotRefusedWhereTokensAreLeft(List<Limit> limits) {
        InterruptedClock clock = new InterruptedClock();
        LocalBucketStore store = new LocalBucketStore(clock, 10);
        ClientIdentifier alice = ClientIdentifier.of("user", "alice");
        Charge one = new Charge(alice, new BucketSpec("orders", "one", 1, limits, StorePolicy.UNSET), 1);
        Charge other = new Charge(alice, new BucketSpec("orders", "other", 1, limits, StorePolicy.UNSET), 1);
        store.spend(List.of(one, other), TIMEOUT);
        interrupt(clock, () -> store.spend(List.of(one), TIMEOUT));
        assertThat(store.spend(List.of(one, other), TIMEOUT)
                        .toCompletableFuture()
                        .join()
                        .allowed())
                .isTrue();
    }

    private static void interrupt(InterruptedClock clock, Runnable others) {
        clock.next = () -> {
            clock.nanos += Duration.ofMillis(20).toNanos();
            others.run();
        };
    }
}
