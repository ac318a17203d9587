package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.AlgorithmContract.Way;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many threads on one bucket of this host, for each algorithm. The clock stands still, so that sums are exact. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConcurrentBucketsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int THREADS = 64;
    private static final int ROUNDS = 100;
    private static final int REQUESTS = 1_000;
    private static final int HELD = 400;

    private final ClientIdentifier alice = ClientIdentifier.of("user", "alice");
    private final LocalBucketStore store = new LocalBucketStore(new ManualTimeSource(7), 10_000);
    private ExecutorService threads;

    @BeforeAll
    void startThreads() {
        threads = Executors.newFixedThreadPool(THREADS);
    }

    @AfterAll
    void stopThreads() {
        threads.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void exactlyAsManyPassAsTheLimitHolds(Way way) throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            BucketSpec spec = spec(way + "-" + round, 1, way.limit(HELD, Duration.ofMinutes(1)));
            assertThat(passed(THREADS, REQUESTS, thread -> spec)).isEqualTo(HELD);
        }
    }

    @ParameterizedTest
    @EnumSource
    void reloadsNeitherLoseNorGiveBudgetWhileThreadsDecide(Way way) throws Exception {
        Limit limit = way.limit(HELD, Duration.ofMinutes(1));
        for (int round = 0; round < 20; round++) {
            String name = "reloaded-" + way + "-" + round;
            AtomicLong version = new AtomicLong();
            assertThat(passed(8, REQUESTS, request -> spec(name, version.getAndIncrement() / 10, limit)))
                    .isEqualTo(HELD);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anotherAlgorithmAtEachReloadNeitherLosesNorGivesBudget(Way way) throws Exception {
        Way[] ways = Way.values();
        for (int round = 0; round < 20; round++) {
            String name = "changed-" + way + "-" + round;
            AtomicLong version = new AtomicLong(way.ordinal());
            assertThat(passed(8, REQUESTS, request -> {
                        long now = version.getAndIncrement() / 10;
                        return spec(name, now, ways[(int) (now % ways.length)].limit(HELD, Duration.ofMinutes(1)));
                    }))
                    .isEqualTo(HELD);
        }
    }

    @ParameterizedTest
    @EnumSource
    void sweepsForgetNothingThatWasSpent(Way way) throws Exception {
        BucketSpec spec = spec("swept-" + way, 1, way.limit(HELD, Duration.ofMinutes(1)));
        assertThat(passed(8, REQUESTS, request -> {
                    if (request % 10 == 0) {
                        store.sweep();
                    }
                    return spec;
                }))
                .isEqualTo(HELD);
    }

    private interface SpecOfRequest {
        BucketSpec of(int request);
    }

    /** How many of so many requests of one token pass, sent by so many threads. */
    private long passed(int senders, int requests, SpecOfRequest specs) throws Exception {
        List<Future<Long>> counts = new ArrayList<>();
        for (int sender = 0; sender < senders; sender++) {
            int first = sender;
            counts.add(threads.submit(() -> {
                long passed = 0;
                for (int request = first; request < requests; request += senders) {
                    passed += spend(specs.of(request)) ? 1 : 0;
                }
                return passed;
            }));
        }
        long sum = 0;
        for (Future<Long> count : counts) {
            sum += count.get();
        }
        return sum;
    }

    private boolean spend(BucketSpec spec) {
        return store.spend(List.of(new Charge(alice, spec, 1)), TIMEOUT)
                .toCompletableFuture()
                .join()
                .allowed();
    }

    private static BucketSpec spec(String name, long version, Limit limit) {
        return new BucketSpec("orders", name, version, List.of(limit), StorePolicy.UNSET);
    }
}
