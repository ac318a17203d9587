package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What other hosts have spent, heard of on a clock that moves on whenever it is read. */
class LateNewsTest {

    private static final ClientIdentifier ALICE = ClientIdentifier.of("user", "alice");
    private static final BucketSpec TEN_PER_SECOND =
            new BucketSpec("orders", "everyone", 1, List.of(Limit.of(10, Duration.ofSeconds(1))), StorePolicy.UNSET);

    private final AtomicLong nanos = new AtomicLong(3_000_000_000L);
    private final LocalBucketStore store = new LocalBucketStore(
            new TimeSource() {
                @Override
                public long nanoTime() {
                    return nanos.incrementAndGet();
                }

                @Override
                public long currentTimeMillis() {
                    return 1_700_000_000_000L;
                }
            },
            100);

    @Test
    void whatANewcomerSpentElsewhereHasRefilledSinceThen() {
        nanos.addAndGet(10_000_000_000L);
        store.owe(ALICE, TEN_PER_SECOND, new SpentElsewhere(10, 700_000_000L, 0), 1);
        assertThat(remaining()).isEqualTo(7);
    }

    @Test
    void ofWhatWasSpentBeforeAStandstillEachLimitOwesWhatItCannotHaveRefilled() {
        BucketSpec two = new BucketSpec(
                "orders",
                "two",
                1,
                List.of(Limit.of(10, Duration.ofSeconds(1)), Limit.of(100, Duration.ofHours(1))),
                StorePolicy.UNSET);
        store.owe(ALICE, two, new SpentElsewhere(80, 0, 36_000_000_000L), 1);
        assertThat(limits(two)).extracting(LimitState::remaining).containsExactly(10L, 21L);
    }

    private long remaining() {
        return limits(TEN_PER_SECOND).get(0).remaining();
    }

    private List<LimitState> limits(BucketSpec bucket) {
        return store.spend(List.of(new Charge(ALICE, bucket, 0)), Duration.ofSeconds(1))
                .toCompletableFuture()
                .join()
                .charges()
                .get(0)
                .limits();
    }
}
