package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a host tells all others, and how often. */
class MeshTellingTest {

    private static final Duration PERIOD = Duration.ofMillis(50);
    private static final BucketSpec BUCKET =
            new BucketSpec("orders", "everyone", 1, List.of(Limit.of(100, Duration.ofSeconds(1))), StorePolicy.UNSET);

    private final ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
    private final SlowPost post = new SlowPost(clock, new Random(1));
    private final List<Long> told = new ArrayList<>();
    private final BroadcastingBucketStore store =
            new BroadcastingBucketStore(new LocalBucketStore(clock, 10_000), post.open(), clock);

    MeshTellingTest() {
        post.open().listen(this::hear);
    }

    private void hear(byte[] message) {
        try {
            ConsumptionNews.of(message)
                    .items()
                    .forEach(item -> told.add(item.tally().spent()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void spend(String client, long tokens) {
        store.spend(List.of(new Charge(ClientIdentifier.of("user", client), BUCKET, tokens)), PERIOD)
                .toCompletableFuture()
                .join();
    }

    private void pass(Duration time) {
        for (long i = 0; i < time.dividedBy(PERIOD); i++) {
            store.flush();
            post.deliver();
            clock.advance(PERIOD);
        }
    }

    @Test
    void whatIsSpentIsToldAtOnceAndOnceMoreAfterASecond() {
        spend("alice", 3);
        pass(Duration.ofSeconds(1));
        assertThat(told).containsExactly(3L);
        pass(Duration.ofSeconds(30));
        assertThat(told).containsExactly(3L, 3L);
    }

    @Test
    void whatGrowsIsNotToldOnceMoreSinceTheNextSumSaysTheSame() {
        for (int i = 0; i < 40; i++) {
            spend("alice", 1);
            pass(PERIOD);
        }
        assertThat(told).hasSize(40).doesNotHaveDuplicates();
        pass(Duration.ofSeconds(30));
        assertThat(told).hasSize(41).endsWith(40L, 40L);
    }

    @Test
    void eachClientIsToldOfOnceMoreInHisOwnTime() {
        spend("alice", 1);
        pass(Duration.ofMillis(500));
        spend("bob", 2);
        pass(Duration.ofMillis(600));
        assertThat(told).containsExactly(1L, 2L, 1L);
        pass(Duration.ofMillis(500));
        assertThat(told).containsExactly(1L, 2L, 1L, 2L);
    }
}
