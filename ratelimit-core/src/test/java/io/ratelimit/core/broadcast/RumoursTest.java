package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RumoursTest {

    private static final long SECOND = 1_000_000_000L;
    private static final UUID SELF = new UUID(0, 1);
    private static final SpecForm BUCKET = SpecForm.of(
            new BucketSpec("orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET));

    private final Rumours rumours = new Rumours(new SplittableRandom(1));

    private boolean learn(long origin, long key, long epoch, long spent) {
        return rumours.learn(
                "everyone",
                new PeerNews.Entry(
                        new PeerNews.Sender(origin, new Postmark(spent, 0)),
                        new ConsumptionNews.Item(BUCKET, new UUID(0, key), epoch, 0, spent, 0, ItemMaker.NO_STATES)),
                0);
    }

    private List<Long> told(int most, int times) throws IOException {
        PeerNewsWriter message = new PeerNewsWriter(SELF, PeerNews.Kind.RUMOURS, 1_400);
        rumours.tell(message, most, times);
        return spent(message);
    }

    private static List<Long> spent(PeerNewsWriter message) throws IOException {
        return PeerNews.of(message.toBytes()).entries().stream()
                .map(entry -> entry.item().spent())
                .toList();
    }

    @Test
    void whatSaysNoMoreIsKnown() {
        assertThat(learn(1, 1, 5, 10)).isTrue();
        assertThat(learn(1, 1, 5, 10)).isFalse();
        assertThat(learn(1, 1, 5, 9)).isFalse();
        assertThat(learn(1, 1, 4, 99)).isFalse();
        assertThat(learn(1, 1, 5, 11)).isTrue();
        assertThat(learn(1, 1, 6, 1)).isTrue();
    }

    @Test
    void aRumourIsToldSoOftenAndNoMore() throws IOException {
        learn(1, 1, 1, 7);
        assertThat(told(4, 2)).containsExactly(7L);
        assertThat(told(4, 2)).containsExactly(7L);
        assertThat(told(4, 2)).isEmpty();
    }

    @Test
    void oneThatHasGrownIsToldAnew() throws IOException {
        learn(1, 1, 1, 7);
        told(2, 2);
        learn(1, 1, 1, 8);
        assertThat(told(2, 2)).containsExactly(8L);
        assertThat(told(2, 2)).isEmpty();
    }

    @Test
    void whatOthersKnowAlreadyIsToldLessOften() throws IOException {
        learn(1, 1, 1, 7);
        learn(1, 1, 1, 7);
        learn(1, 1, 1, 7);
        assertThat(told(3, 1)).containsExactly(7L);
        assertThat(told(3, 1)).isEmpty();
    }

    @Test
    void theOneThatWasToldTheLeastOftenComesFirst() throws IOException {
        learn(1, 1, 1, 1);
        told(9, 1);
        learn(1, 2, 1, 2);
        learn(1, 3, 1, 3);
        assertThat(told(9, 1)).containsExactly(2L, 3L, 1L);
    }

    @Test
    void allAreToldInTurnWhereThereIsNoRoomForAllAtOnce() throws IOException {
        for (int key = 0; key < 100; key++) {
            learn(1, key, 1, key + 1);
        }
        List<Long> first = told(2, 1);
        assertThat(first).hasSizeBetween(20, 60);
        assertThat(told(2, 1)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void quietOnesAreForgotten() throws IOException {
        learn(1, 1, 1, 7);
        rumours.sweep(20 * SECOND);
        assertThat(told(9, 1)).isEmpty();
        PeerNewsWriter message = new PeerNewsWriter(SELF, PeerNews.Kind.RUMOURS, 1_400);
        rumours.tellAny(message);
        assertThat(message.isEmpty()).isTrue();
    }

    @Test
    void someOfAllAreTold() throws IOException {
        for (int key = 0; key < 100; key++) {
            learn(1, key, 1, key + 1);
        }
        PeerNewsWriter message = new PeerNewsWriter(SELF, PeerNews.Kind.RUMOURS, 1_400);
        rumours.tellAny(message);
        assertThat(spent(message)).hasSizeBetween(20, 60).doesNotHaveDuplicates();
        assertThat(message.toBytes()).hasSizeLessThanOrEqualTo(1_400);
    }
}
