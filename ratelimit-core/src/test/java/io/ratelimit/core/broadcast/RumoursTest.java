package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RumoursTest {

    private static final long SECOND = 1_000_000_000L;
    private static final UUID SELF = new UUID(0, 1);
    private static final SpecForm BUCKET = SpecForm.of(
            new BucketSpec("orders", "everyone", 3, List.of(Limit.of(20, Duration.ofSeconds(1))), StorePolicy.UNSET));

    private final Rumours rumours = new Rumours(100_000);

    private boolean learn(long origin, long key, long epoch, long spent) {
        return rumours.learn(
                "everyone",
                new PeerNews.Entry(
                        new PeerNews.Sender(origin, new Postmark(spent, 0, 0)),
                        new ConsumptionNews.Item(
                                BUCKET, new UUID(0, key), epoch, 0, Tally.ofSpent(spent), 0, ItemMaker.NO_STATES)),
                0);
    }

    private List<Long> told(int most, int times) throws IOException {
        PeerNewsWriter message = new PeerNewsWriter(SELF, PeerNews.Kind.RUMOURS, 1_400);
        rumours.tell(message, most, times);
        return spent(message);
    }

    private static List<Long> spent(PeerNewsWriter message) throws IOException {
        return PeerNews.of(message.toBytes()).entries().stream()
                .map(entry -> entry.item().tally().spent())
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
    void whoSpendsAllTheTimeIsToldOfThoughOthersComeFasterThanTheyAreTold() throws IOException {
        learn(1, 0, 1, 1_000_001);
        for (int key = 1; key < 100; key++) {
            learn(1, key, 1, key);
            learn(1, 0, 1, 1_000_001 + key);
        }
        assertThat(told(9, 1)).contains(1_000_100L);
    }

    @Test
    void quietOnesAreToldNoMoreAndForgotten() throws IOException {
        learn(1, 1, 1, 7);
        rumours.sweep(20 * SECOND);
        assertThat(told(9, 1)).isEmpty();
        rumours.sweep(60 * SECOND);
        assertThat(rumours.known(1_250, 0).fingerprints()).isEmpty();
    }

    @Test
    void whatNobodyTellsAnyMoreIsNotCompared() {
        for (int key = 0; key < 10_000; key++) {
            learn(1, key, 1, key + 1);
        }
        assertThat(rumours.known(1_250, 20 * SECOND).parts()).isGreaterThan(50);
        assertThat(rumours.known(1_250, 25 * SECOND)).isEqualTo(new KnownSums(1, 0, Set.of()));
    }

    @Test
    void whatGoesRoundNoMoreDoesNotComeBack() throws IOException {
        learn(1, 1, 1, 7);
        rumours.sweep(20 * SECOND);
        assertThat(missing(new KnownSums(1, 0, Set.of()), 20 * SECOND)).isEmpty();
        assertThat(learn(1, 1, 1, 7)).isFalse();
        assertThat(told(9, 1)).isEmpty();
    }

    private List<Long> missing(KnownSums known, long nanos) {
        return rumours.missing(known, nanos).stream()
                .map(entry -> entry.item().tally().spent())
                .toList();
    }

    @Test
    void anotherHostMissesWhatItDoesNotKnow() {
        for (int key = 0; key < 100; key++) {
            learn(1, key, 1, key + 1);
        }
        KnownSums before = rumours.known(1_250, 0);
        learn(2, 7, 1, 1_001);
        learn(1, 100, 1, 1_002);
        learn(1, 5, 1, 1_003);
        learn(1, 6, 2, 1_004);
        assertThat(missing(before, Rumours.SETTLED_NANOS)).containsExactlyInAnyOrder(1_001L, 1_002L, 1_003L, 1_004L);
        assertThat(missing(rumours.known(1_250, 0), Rumours.SETTLED_NANOS)).isEmpty();
    }

    @Test
    void nothingIsMissingThatMayBeOnItsWay() {
        learn(1, 1, 1, 7);
        KnownSums nothing = new KnownSums(1, 0, Set.of());
        assertThat(missing(nothing, Rumours.SETTLED_NANOS - 1)).isEmpty();
        assertThat(missing(nothing, Rumours.SETTLED_NANOS)).containsExactly(7L);
    }

    @Test
    void whatIsTooMuchForAMessageIsComparedInParts() {
        // Of one client on many hosts.
        for (int host = 0; host < 1_000; host++) {
            learn(host, 1, 1, host + 1);
        }
        KnownSums first = rumours.known(1_250, 0);
        assertThat(first.parts()).isEqualTo(6);
        int compared = first.fingerprints().size();
        for (int part = 1; part < 6; part++) {
            KnownSums known = rumours.known(1_250, 0);
            assertThat(known.part()).isEqualTo(part);
            assertThat(known.toBytes()).hasSizeLessThan(1_200);
            assertThat(missing(known, Rumours.SETTLED_NANOS)).isEmpty();
            compared += known.fingerprints().size();
        }
        assertThat(compared).isEqualTo(1_000);
        assertThat(rumours.known(1_250, 0)).isEqualTo(first);
        assertThat(missing(new KnownSums(6, 0, Set.of()), Rumours.SETTLED_NANOS))
                .hasSize(Rumours.MOST_MISSING);
    }
}
