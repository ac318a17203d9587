package io.ratelimit.core.reconcile;

import static io.ratelimit.core.reconcile.ReconcilingHosts.spec;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Limit;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** N hosts with a burst B each, which know of one another after τ: the bounds of the manual, in every run. */
class ReconciledBoundTest {

    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "alice");
    private static final Duration WAY = Duration.ofMillis(15);
    private static final double TAU = (ReconcilingHosts.PERIOD.toNanos() * 2 + 4 * WAY.toNanos()) / 1e9;

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2, 10})
    void theExcessStaysWithinItsBoundAndIsPaidBack(double load) {
        for (int count : new int[] {1, 2, 3, 5}) {
            for (long rate : new long[] {4, 100, 1_000}) {
                for (long burst : new long[] {1, rate}) {
                    check(load, count, rate, burst);
                }
            }
        }
    }

    private static void check(double load, int count, long rate, long burst) {
        ReconcilingHosts hosts = new ReconcilingHosts(count).telling();
        hosts.shared().isFar(WAY);
        BucketSpec limit = spec(Limit.of(rate, Duration.ofSeconds(1)).withBurst(burst));
        Run run = run(hosts, limit, load * rate, 20);
        double others = load * rate * (count - 1) / count;
        double bound = Math.min((count - 1) * (burst + rate * TAU), others * TAU + 1) + count;
        String which = count + " hosts, " + rate + " per second burst " + burst + ", " + load + " times the limit";
        assertThat(run.excess()).as(which).isLessThanOrEqualTo(bound);
        assertThat(run.passed()).as(which).isGreaterThanOrEqualTo(run.exactly() * 95 / 100);
    }

    /**
     * What has passed.
     *
     * @param excess how much more than B + R·w at most, in any time w
     * @param passed how many requests
     * @param exactly how many would have passed if all hosts had one bucket
     */
    private record Run(double excess, long passed, long exactly) {}

    private static Run run(ReconcilingHosts hosts, BucketSpec spec, double perSecond, int seconds) {
        Limit limit = spec.limits().get(0);
        LocalBucketStore alone = new LocalBucketStore(hosts.clock(), 10);
        double level = limit.capacity();
        double lowest = 0;
        long passed = 0;
        long exactly = 0;
        long begun = hosts.clock().nanoTime();
        while (hosts.clock().nanoTime() - begun < seconds * 1_000_000_000L) {
            long pause = (long) (-Math.log(1 - hosts.random().nextDouble()) * 1e9 / perSecond);
            hosts.shared().advanceTo(hosts.clock().nanoTime() + pause);
            level = Math.min(limit.capacity(), level + (double) pause * limit.tokens() / 1e9);
            exactly += admits(alone, spec) ? 1 : 0;
            if (hosts.host(hosts.random().nextInt(hosts.all().size())).admits(spec)) {
                passed++;
                level -= 1;
                lowest = Math.min(lowest, level);
            }
        }
        return new Run(-lowest, passed, exactly);
    }

    private static boolean admits(LocalBucketStore store, BucketSpec spec) {
        return store.spend(List.of(new Charge(CLIENT, spec, 1)), Duration.ofSeconds(1))
                .toCompletableFuture()
                .join()
                .allowed();
    }

    /** The table's promise that nobody is refused but for paying back: a client of one host has nothing to pay back. */
    @Test
    void whoComesToOneHostOnlyIsDecidedAsIfItWereAlone() {
        for (Limit limit : List.of(
                Limit.of(20, Duration.ofSeconds(1)).withBurst(1),
                Limit.of(20, Duration.ofSeconds(1)).withBurst(2),
                Limit.of(3, Duration.ofSeconds(1)),
                Limit.of(1_000, Duration.ofSeconds(1)).withBurst(10),
                Limit.of(100, Duration.ofMinutes(1)).withBurst(7))) {
            for (double load : new double[] {0.8, 1, 3}) {
                compare(limit, load);
            }
        }
    }

    private static void compare(Limit limit, double load) {
        ReconcilingHosts hosts = new ReconcilingHosts(3).telling();
        hosts.shared().isFar(WAY);
        LocalBucketStore alone = new LocalBucketStore(hosts.clock(), 10);
        BucketSpec spec = spec(limit);
        double perNano = load * limit.tokens() / limit.period().toNanos();
        for (int i = 0; i < 3_000; i++) {
            boolean regular = i % 400 < 200;
            double wait = regular ? 1 : -Math.log(1 - hosts.random().nextDouble());
            hosts.shared().advanceTo(hosts.clock().nanoTime() + (long) Math.ceil(wait / perNano));
            boolean expected = admits(alone, spec);
            assertThat(hosts.host(0).admits(spec))
                    .as("request %d under %s at %f times the limit", i, limit, load)
                    .isEqualTo(expected);
        }
    }
}
