package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
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
        store.owe(ALICE, TEN_PER_SECOND, 10, 700_000_000L, 1);
        assertThat(remaining()).isEqualTo(7);
    }

    private long remaining() {
        return store.spend(List.of(new Charge(ALICE, TEN_PER_SECOND, 0)), Duration.ofSeconds(1))
                .toCompletableFuture()
                .join()
                .charges()
                .get(0)
                .limits()
                .get(0)
                .remaining();
    }
}
