package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Sharing;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.Test;

/** Where the charges of rules go whose hosts decide by themselves, if the shared store can tell nobody anything. */
class EngineBucketsTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final ManualTimeSource clock = new ManualTimeSource();
    private final BucketStore shared = new LocalBucketStore(clock, 100);

    private EngineBuckets host(BucketStore store) {
        FailureLog failures = new FailureLog("The store", clock, new RateLimitListener() {});
        return EngineBuckets.sharing(
                new LocalBucketStore(clock, 100),
                store,
                mock(ScheduledExecutorService.class),
                failures,
                failures,
                Duration.ofMillis(50),
                clock);
    }

    private static BucketSpec eventual(Algorithm algorithm) {
        return new BucketSpec(
                "orders",
                "everyone",
                1,
                List.of(new Limit(10, HOUR, 10, algorithm)),
                new StorePolicy(Sharing.EVENTUAL, null, null));
    }

    private static SpendOutcome spend(BucketStore store, BucketSpec bucket, long cost) {
        return store.spend(List.of(new Charge(ClientIdentifier.of("user", "alice"), bucket, cost)), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    private long remainingInStore(BucketSpec bucket) {
        return spend(shared, bucket, 0).charges().get(0).limits().get(0).remaining();
    }

    @Test
    void hostsDecideByThemselvesAndAddItUpInTheStore() {
        BucketSpec bucket = eventual(Algorithm.TOKEN_BUCKET);
        EngineBuckets host = host(shared);
        spend(host.all(), bucket, 3);
        assertThat(remainingInStore(bucket)).isEqualTo(10);
        host.told().flush();
        assertThat(remainingInStore(bucket)).isEqualTo(7);
    }

    @Test
    void aStoreThatIsStartedLaterIsToldFromThenOn() {
        BucketSpec bucket = eventual(Algorithm.TOKEN_BUCKET);
        RestartedStore late =
                new RestartedStore(() -> shared, false, false, new StoreException("store-error", "no port"));
        EngineBuckets host = host(late);
        spend(host.all(), bucket, 3);
        host.told().flush();
        late.restart();
        spend(host.all(), bucket, 2);
        host.told().flush();
        assertThat(remainingInStore(bucket)).isEqualTo(8);
    }

    @Test
    void whatDoesNotRefillEvenlyIsAskedAtOnce() {
        BucketSpec window = eventual(Algorithm.FIXED_WINDOW);
        spend(host(shared).all(), window, 3);
        assertThat(remainingInStore(window)).isEqualTo(7);
    }

    @Test
    void hostsWithoutBucketsInCommonTellOneAnotherWhateverTheRuleSays() {
        BucketSpec bucket = new BucketSpec(
                "orders",
                "everyone",
                1,
                List.of(new Limit(10, HOUR, 10, Algorithm.TOKEN_BUCKET)),
                new StorePolicy(Sharing.EXACT, null, null));
        HearingStore store = new HearingStore();
        EngineBuckets one = host(store);
        EngineBuckets two = host(store.another());
        assertThat(one.direct().of(bucket)).isNull();
        assertThat(one.all().hosts()).isEqualTo(2);
        clock.advance(Duration.ofMillis(1));
        spend(one.all(), bucket, 3);
        one.told().flush();
        assertThat(spend(two.all(), bucket, 0).charges().get(0).limits().get(0).remaining())
                .isEqualTo(7);

        spend(one.all(), bucket, 2);
        one.all().close();
        assertThat(store.isClosed()).isTrue();
        assertThat(spend(two.all(), bucket, 0).charges().get(0).limits().get(0).remaining())
                .isEqualTo(5);
    }

    @Test
    void whatIsLeftIsToldBeforeTheStoreIsClosed() {
        BucketSpec bucket = eventual(Algorithm.TOKEN_BUCKET);
        EngineBuckets host = host(shared);
        spend(host.all(), bucket, 3);
        host.all().close();
        assertThat(remainingInStore(bucket)).isEqualTo(7);
    }
}
