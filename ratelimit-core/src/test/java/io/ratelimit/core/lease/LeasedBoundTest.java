package io.ratelimit.core.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What hosts that lease admit together, against one bucket that sees everything. */
class LeasedBoundTest {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "busy");

    private final ManualTimeSource clock = new ManualTimeSource(42);

    /** A host, and when it hears of a change. */
    private final class Host {

        private final OneHostsView view;
        private final LeasingBucketStore store;

        private Host(BucketStore shared) {
            this.view = new OneHostsView(shared, 0);
            this.store = new LeasingBucketStore(view, clock);
        }

        private boolean admits(BucketSpec spec, long cost, List<Receipt> receipts) {
            var outcome = store.spend(List.of(new Charge(CLIENT, spec, cost)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
            if (outcome.allowed()) {
                receipts.add(outcome.charges().get(0).receipt());
            }
            return outcome.allowed();
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.5, 1, 2, 10})
    void neverMoreThanTheLimitThoughHostsComeAndGo(double load) {
        for (int seed = 0; seed < 40; seed++) {
            Random random = new Random(seed);
            long rate = 1L << random.nextInt(14);
            long burst = Math.max(1, (long) (rate * (0.25 + 4 * random.nextDouble())));
            BucketSpec spec = spec(new Limit(rate, Duration.ofSeconds(1), burst, Algorithm.TOKEN_BUCKET));
            assertThat(mostOver(spec, load, random))
                    .as("seed %d, %s", seed, spec)
                    .isZero();
        }
    }

    @Test
    void notEvenWhereACostNeedsMoreThanTheSharedBucketHolds() {
        int large = 0;
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            long rate = 64L << random.nextInt(8);
            long burst = Math.max(64, (long) (rate * (0.25 + 4 * random.nextDouble())));
            BucketSpec spec = spec(new Limit(rate, Duration.ofSeconds(1), burst, Algorithm.TOKEN_BUCKET));
            large += admittedLarge(spec, random);
        }
        assertThat(large).isGreaterThan(200);
    }

    /** Many small requests, a rest, and a large one. */
    private int admittedLarge(BucketSpec spec, Random random) {
        BucketStore shared = new ForgettingBuckets(clock);
        LocalBucketStore witness = new LocalBucketStore(clock, 1_000);
        List<Host> hosts = List.of(new Host(shared), new Host(shared));
        hosts.forEach(host -> host.view.hears(2));
        hosts.forEach(host -> host.store.hosts());
        List<Receipt> receipts = new ArrayList<>();
        long rate = spec.limits().get(0).tokens();
        long burst = spec.limits().get(0).capacity();
        int large = 0;
        for (int i = 0; i < 2_000; i++) {
            Host host = hosts.get(random.nextInt(2));
            clock.advanceNanos((long) (-Math.log(1 - random.nextDouble()) * 1e9 / rate));
            long cost = 1;
            if (random.nextInt(50) == 0) {
                clock.advance(Duration.ofMillis(random.nextInt(4_000)));
                cost = burst - random.nextInt((int) (burst / 8));
            }
            if (host.admits(spec, cost, receipts)) {
                assertThat(admits(witness, spec, cost)).isTrue();
                large += cost > 1 ? 1 : 0;
            }
            if (random.nextInt(20) == 0) {
                hosts.forEach(each -> each.store.sweep());
            }
        }
        return large;
    }

    /** How many tokens were admitted that a bucket which sees everything would not have had. */
    private long mostOver(BucketSpec spec, double load, Random random) {
        LocalBucketStore shared = new LocalBucketStore(clock, 1_000);
        LocalBucketStore witness = new LocalBucketStore(clock, 1_000);
        List<Receipt> receipts = new ArrayList<>();
        List<Host> hosts = new ArrayList<>();
        hosts.add(new Host(shared));
        long rate = spec.limits().get(0).tokens();
        int requests = 3_000;
        long over = 0;
        long heard = 0;
        for (int i = 0; i < requests; i++) {
            clock.advanceNanos((long) (-Math.log(1 - random.nextDouble()) * 1e9 / (rate * load)));
            if (random.nextInt(300) == 0) {
                hosts.add(new Host(shared));
                heard = clock.nanoTime();
            } else if (hosts.size() > 1 && random.nextInt(300) == 0) {
                hosts.remove(random.nextInt(hosts.size())).store.close();
                heard = clock.nanoTime();
            }
            for (Host host : hosts) {
                // Within a second, some hear of a change earlier than others.
                if (clock.nanoTime() - heard > 900_000_000L || random.nextInt(100) == 0 || host.view.hosts() == 0) {
                    host.view.hears(hosts.size());
                }
                host.store.hosts();
            }
            if (random.nextInt(20) == 0) {
                hosts.forEach(host -> host.store.sweep());
            }
            Host host = hosts.get(random.nextInt(hosts.size()));
            if (host.admits(spec, 1, receipts)) {
                over += admits(witness, spec, 1) ? 0 : 1;
            }
        }
        return over;
    }

    private static boolean admits(LocalBucketStore witness, BucketSpec spec, long cost) {
        return witness.spend(List.of(new Charge(CLIENT, spec, cost)), TIMEOUT)
                .toCompletableFuture()
                .join()
                .allowed();
    }

    private static BucketSpec spec(Limit limit) {
        return new BucketSpec("orders", "everyone", 1, List.of(limit), StorePolicy.UNSET);
    }
}
