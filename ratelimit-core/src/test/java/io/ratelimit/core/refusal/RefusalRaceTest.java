package io.ratelimit.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Refusals and refunds of one client at the same time, by the real clock. */
class RefusalRaceTest {

    private static final int ROUNDS = 20_000;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Charge ONE = new Charge(
            ClientIdentifier.of("user", "alice"),
            new BucketSpec("orders", "everyone", 1, List.of(Limit.of(1, Duration.ofDays(1))), StorePolicy.UNSET),
            1);

    private final RefusalMemory memory = new RefusalMemory(TimeSource.system());
    private final BucketStore store =
            RefusingBucketStoreTest.over(new LocalBucketStore(TimeSource.system(), 100), memory, TimeSource.system());

    /** How many tokens were given back so far. */
    private volatile int givenBack;

    @Test
    void whoComesAfterARefundIsNotRefusedByWhatWasAskedBefore() throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try {
            for (int round = 1; round <= ROUNDS; round++) {
                Receipt held = Objects.requireNonNull(spend().charges().get(0).receipt());
                int awaited = round;
                Future<Receipt> flood = thread.submit(() -> askUntilAdmitted(awaited));
                for (int i = round % 64; i > 0; i--) {
                    Thread.onSpinWait();
                }
                store.refund(held, 1).toCompletableFuture().join();
                givenBack = round;
                store.undo(flood.get(10, TimeUnit.SECONDS), 1)
                        .toCompletableFuture()
                        .join();
            }
        } finally {
            thread.shutdownNow();
        }
    }

    private Receipt askUntilAdmitted(int round) {
        while (true) {
            boolean mustPass = givenBack == round;
            SpendOutcome outcome = spend();
            if (outcome.allowed()) {
                return Objects.requireNonNull(outcome.charges().get(0).receipt());
            }
            assertThat(mustPass)
                    .as("refused after the refund of round %d", round)
                    .isFalse();
        }
    }

    private SpendOutcome spend() {
        return store.spend(List.of(ONE), TIMEOUT).toCompletableFuture().join();
    }
}
