package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BroadcastingBucketStoreTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "alice");
    private static final BucketSpec FOUR_PER_SECOND = spec(Limit.of(4, Duration.ofSeconds(1)));
    private static final BucketSpec TEN_PER_SECOND = spec(Limit.of(10, Duration.ofSeconds(1)));
    private static final BucketSpec HUNDRED_PER_HOUR = spec(Limit.of(100, Duration.ofHours(1)));

    private final ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
    private final Random random = new Random(4711);
    private final SlowPost post = new SlowPost(clock, random);
    private final List<Host> hosts = new ArrayList<>();

    private final class Host {

        private final SlowPost.Station station = post.open();
        private final BroadcastingBucketStore store =
                new BroadcastingBucketStore(new LocalBucketStore(clock, 10_000), station, clock);

        private SpendOutcome spend(BucketSpec spec, long cost) {
            return store.spend(List.of(new Charge(CLIENT, spec, cost)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
        }

        private boolean admits(BucketSpec spec) {
            return spend(spec, 1).allowed();
        }

        private long remaining(BucketSpec spec) {
            return spend(spec, 0).charges().get(0).limits().get(0).remaining();
        }

        private long waitNanos(BucketSpec spec) {
            return store.spend(List.of(new Charge(CLIENT, spec, 1).as(Charge.Kind.LOOK)), TIMEOUT)
                    .toCompletableFuture()
                    .join()
                    .charges()
                    .get(0)
                    .limits()
                    .get(0)
                    .waitNanos();
        }
    }

    @Test
    void theExcessOfABurstAtAllHostsIsPaidBackByWaiting() {
        open(3);
        for (Host host : hosts) {
            for (int i = 0; i < 4; i++) {
                assertThat(host.admits(FOUR_PER_SECOND)).isTrue();
            }
        }
        tell();
        for (int i = 0; i < 2_000; i += 10) {
            for (Host host : hosts) {
                assertThat(host.admits(FOUR_PER_SECOND)).as("after %d ms", i).isFalse();
            }
            clock.advance(Duration.ofMillis(10));
            tell();
        }
        clock.advance(Duration.ofMillis(250));
        assertThat(hosts.get(0).admits(FOUR_PER_SECOND)).isTrue();
    }

    @Test
    void whatOneHostHasSpentIsMissingOnTheOthers() {
        open(3);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 30);
        hosts.get(1).spend(HUNDRED_PER_HOUR, 20);
        tell();
        for (Host host : hosts) {
            assertThat(host.remaining(HUNDRED_PER_HOUR)).isEqualTo(50);
        }
    }

    @Test
    void messagesThatAreLostOrComeTwiceOrInAnotherOrderDoNoHarm() {
        open(3);
        post.takes(500_000_000L);
        post.loses(0.5);
        post.repeats(0.5);
        for (int i = 0; i < 60; i++) {
            hosts.get(i % 3).spend(HUNDRED_PER_HOUR, 1);
            tell();
            clock.advance(Duration.ofMillis(20));
        }
        post.loses(0);
        clock.advance(Duration.ofSeconds(2));
        tell();
        clock.advance(Duration.ofSeconds(2));
        tell();
        for (Host host : hosts) {
            assertThat(host.remaining(HUNDRED_PER_HOUR)).isEqualTo(40);
        }
    }

    @Test
    void whatGotLostIsHeardASecondLaterThoughTheClientDoesNotComeAgain() {
        open(2);
        post.loses(1);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 60);
        tell();
        post.loses(0);
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
        clock.advance(Duration.ofSeconds(1));
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(40);
    }

    @Test
    void whatIsHeardWhenItHasRefilledIsNotMissing() {
        open(3);
        Host idle = hosts.get(2);
        for (int i = 0; i < 40; i++) {
            assertThat(hosts.get(i % 2).spend(TEN_PER_SECOND, 2).allowed()).isTrue();
            clock.advance(Duration.ofMillis(200));
            tell();
            assertThat(idle.remaining(TEN_PER_SECOND)).isEqualTo(10);
        }
    }

    @Test
    void aHostThatDoesNothingKnowsWhoSpendsMoreThanTheRate() {
        open(3);
        for (int i = 0; i < 100; i++) {
            hosts.get(0).admits(TEN_PER_SECOND);
            hosts.get(1).admits(TEN_PER_SECOND);
            clock.advance(Duration.ofMillis(50));
            tell();
        }
        assertThat(hosts.get(2).remaining(TEN_PER_SECOND)).isLessThanOrEqualTo(1);
    }

    @Test
    void whatComesLateHasRefilledMeanwhileThoughTheClientIsBusyHere() {
        open(2);
        hosts.get(0).admits(FOUR_PER_SECOND);
        tell();
        clock.advance(Duration.ofSeconds(10));
        for (int i = 0; i < 20; i++) {
            post.takesExactly(5_000_000_000L - i * 250_000_000L);
            assertThat(hosts.get(0).admits(FOUR_PER_SECOND)).isTrue();
            hosts.get(0).store.flush();
            clock.advance(Duration.ofMillis(250));
        }
        hosts.get(1).admits(FOUR_PER_SECOND);
        post.deliver();
        assertThat(hosts.get(1).remaining(FOUR_PER_SECOND)).isBetween(1L, 3L);
    }

    @Test
    void afterAPartitionNobodyIsRefusedForWhatTheOthersLetPassLongAgo() {
        open(2);
        Host left = hosts.get(0);
        Host right = hosts.get(1);
        for (int i = 0; i < 120; i++) {
            right.station.isCut(i >= 20 && i < 100);
            assertThat(left.spend(FOUR_PER_SECOND, 1).allowed()).isTrue();
            assertThat(right.spend(FOUR_PER_SECOND, 1).allowed()).as("at %d", i).isTrue();
            tell();
            clock.advance(Duration.ofMillis(500));
            tell();
        }
    }

    @Test
    void aHostThatWakesAndIsLetInAgainLaterRefusesNobodyForWhatTheOthersLetPassMeanwhile() {
        open(2);
        Host awake = hosts.get(0);
        Host sleeper = hosts.get(1);
        Duration pause = Duration.ofMillis(500);
        for (int i = 0; i < 120; i++) {
            boolean asleep = i >= 20 && i < 100;
            boolean putOut = i >= 40 && i < 110;
            sleeper.station.isCut(putOut && i != 100);
            post.takesExactly(i >= 20 && i < 40 ? (100 - i) * pause.toNanos() : 0);
            assertThat(awake.admits(FOUR_PER_SECOND)).isTrue();
            assertThat(asleep || sleeper.admits(FOUR_PER_SECOND)).as("at %d", i).isTrue();
            tell();
            clock.advance(pause);
        }
    }

    @Test
    void aHostThatComesLaterLearnsHowBucketsStand() {
        open(2);
        for (int i = 0; i < 40; i++) {
            hosts.get(0).spend(HUNDRED_PER_HOUR, 1);
            clock.advance(Duration.ofMillis(100));
            tell();
        }
        open(1);
        Host late = hosts.get(2);
        assertThat(late.remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 1);
        tell();
        assertThat(late.remaining(HUNDRED_PER_HOUR)).isEqualTo(59);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 5);
        tell();
        assertThat(late.remaining(HUNDRED_PER_HOUR)).isEqualTo(54);
    }

    @Test
    void aClientThatWasForgottenMeanwhileIsNotChargedAgain() {
        open(2);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 30);
        tell();
        for (int minute = 0; minute < 5; minute++) {
            clock.advance(Duration.ofMinutes(1));
            tell();
            hosts.forEach(host -> host.store.sweep());
        }
        hosts.get(0).spend(HUNDRED_PER_HOUR, 1);
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(100 - 31 + 8);
    }

    @Test
    void afterASplitNobodyIsLockedOutForLongerThanTheOtherHostsBurstsTake() {
        open(3);
        hosts.get(2).station.isCut(true);
        for (int second = 0; second < 30; second++) {
            for (Host host : hosts) {
                while (host.admits(FOUR_PER_SECOND)) {
                    continue;
                }
            }
            tell();
            clock.advance(Duration.ofSeconds(1));
        }
        hosts.get(2).station.isCut(false);
        hosts.forEach(host -> host.admits(FOUR_PER_SECOND));
        tell();
        clock.advance(Duration.ofSeconds(1));
        tell();
        for (Host host : hosts) {
            assertThat(host.waitNanos(FOUR_PER_SECOND)).isLessThanOrEqualTo(2_250_000_000L);
        }
    }

    @Test
    void whatIsGivenBackBeforeTheOthersHearOfItWasNeverSpent() {
        open(2);
        Receipt receipt = receipt(hosts.get(0).spend(HUNDRED_PER_HOUR, 30));
        hosts.get(0).store.undo(receipt, 30);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 10);
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(90);
    }

    @Test
    void whatIsGivenBackLaterIsSetAgainstWhatIsSpentNext() {
        open(2);
        Receipt receipt = receipt(hosts.get(0).spend(HUNDRED_PER_HOUR, 30));
        tell();
        hosts.get(0).store.refund(receipt, 30);
        hosts.get(0).spend(HUNDRED_PER_HOUR, 40);
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(60);
    }

    @Test
    void aTokenThatComesBackSoonIsMissingNowhere() {
        open(2);
        for (int i = 0; i < 100; i++) {
            Receipt receipt = receipt(hosts.get(0).spend(HUNDRED_PER_HOUR, 1));
            tell();
            clock.advance(Duration.ofMillis(5));
            hosts.get(0).store.refund(receipt, 1);
        }
        tell();
        assertThat(hosts.get(0).remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(100);
    }

    @Test
    void windowsAreUsedUpAndOweNothing() {
        open(2);
        BucketSpec window = spec(new Limit(10, Duration.ofSeconds(1), 10, Algorithm.FIXED_WINDOW));
        for (Host host : hosts) {
            assertThat(host.spend(window, 8).allowed()).isTrue();
        }
        tell();
        for (Host host : hosts) {
            assertThat(host.admits(window)).isFalse();
        }
        clock.advance(Duration.ofSeconds(1));
        for (Host host : hosts) {
            assertThat(host.admits(window)).isTrue();
        }
    }

    @Test
    void whatCannotBeReadIsPassedOver() {
        open(2);
        post.open().broadcast(new byte[] {9, 9, 9});
        hosts.get(0).spend(HUNDRED_PER_HOUR, 30);
        tell();
        assertThat(hosts.get(1).remaining(HUNDRED_PER_HOUR)).isEqualTo(70);
    }

    /** N hosts, each with a burst B, messages that take at most τ: the bound of the manual, in every run. */
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2, 10})
    void theExcessStaysWithinItsBoundAndIsPaidBack(double load) {
        for (int count : new int[] {1, 2, 3, 5}) {
            for (long rate : new long[] {4, 100, 1_000}) {
                hosts.forEach(host -> host.station.close());
                hosts.clear();
                open(count);
                long delay = 100_000_000L;
                post.takes(delay);
                BucketSpec spec = spec(Limit.of(rate, Duration.ofSeconds(1)));
                double excess = runFor(spec, load, rate, 20);
                double tau = (delay + 50_000_000L) / 1e9;
                double others = load * rate * (count - 1) / count;
                double bound = Math.min((count - 1) * (rate + rate * tau), others * tau + 1) + count;
                assertThat(excess)
                        .as("%d hosts, %d per second, %f times the limit", count, rate, load)
                        .isLessThanOrEqualTo(bound);
            }
        }
    }

    /** How much more than B + R·w was admitted at most. */
    private double runFor(BucketSpec spec, double load, long rate, int seconds) {
        double level = rate;
        double lowest = 0;
        long begun = clock.nanoTime();
        long told = begun;
        while (clock.nanoTime() - begun < seconds * 1_000_000_000L) {
            long pause = (long) (-Math.log(1 - random.nextDouble()) * 1e9 / (rate * load));
            clock.advanceNanos(pause);
            level = Math.min(rate, level + pause * rate / 1e9);
            if (clock.nanoTime() - told >= 50_000_000L) {
                hosts.forEach(host -> host.store.flush());
                told = clock.nanoTime();
            }
            post.deliver();
            if (hosts.get(random.nextInt(hosts.size())).admits(spec)) {
                level -= 1;
                lowest = Math.min(lowest, level);
            }
        }
        return -lowest;
    }

    private void open(int count) {
        for (int i = 0; i < count; i++) {
            hosts.add(new Host());
        }
        clock.advance(Duration.ofMillis(1));
    }

    private void tell() {
        hosts.forEach(host -> host.store.flush());
        post.deliver();
    }

    private static Receipt receipt(SpendOutcome spent) {
        return spent.charges().get(0).receipt();
    }

    private static BucketSpec spec(Limit limit) {
        return new BucketSpec("orders", "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }
}
