package io.ratelimit.core.reconcile;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
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

/** Hosts that reconcile the buckets of one client with those of one distant store. */
final class ReconcilingHosts {

    static final Duration PERIOD = Duration.ofMillis(50);

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final ClientIdentifier CLIENT = ClientIdentifier.of("user", "alice");

    private final ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
    private final Random random = new Random(4711);
    private final DistantStore shared = new DistantStore(clock, random);
    private final List<String> failures = new ArrayList<>();
    private final List<Host> hosts = new ArrayList<>();

    /** Opens hosts that tell the shared store one after the other in each period. */
    ReconcilingHosts(int count) {
        for (int i = 0; i < count; i++) {
            hosts.add(new Host());
        }
        shared.isSharedBy(count);
        clock.advance(Duration.ofMillis(1));
    }

    /** Has the hosts tell the store from now on, each at moments of its own. */
    ReconcilingHosts telling() {
        for (Host host : hosts) {
            tellLater(host, (long) (random.nextDouble() * PERIOD.toNanos()));
        }
        return this;
    }

    private void tellLater(Host host, long nanos) {
        shared.at(clock.nanoTime() + nanos, () -> {
            host.store.flush();
            tellLater(host, PERIOD.toNanos());
        });
    }

    /** All hosts tell the store, twice, so that each has heard of all. */
    void tell() {
        hosts.forEach(host -> host.store.flush());
        hosts.forEach(host -> host.store.flush());
    }

    Host host(int index) {
        return hosts.get(index);
    }

    List<Host> all() {
        return hosts;
    }

    DistantStore shared() {
        return shared;
    }

    List<String> failures() {
        return failures;
    }

    ManualTimeSource clock() {
        return clock;
    }

    Random random() {
        return random;
    }

    /** One of them. */
    final class Host {

        private final FailureLog log = new FailureLog("The store", "all go alone", clock, new RateLimitListener() {
            @Override
            public void onFailure(String kind, Throwable cause) {
                failures.add(kind);
            }
        });
        private final ReconcilingBucketStore store =
                new ReconcilingBucketStore(new LocalBucketStore(clock, 1_000_000), shared, clock, PERIOD, log);

        ReconcilingBucketStore store() {
            return store;
        }

        FailureLog log() {
            return log;
        }

        SpendOutcome spend(Charge charge) {
            return store.spend(List.of(charge), TIMEOUT).toCompletableFuture().join();
        }

        SpendOutcome spend(BucketSpec spec, long cost) {
            return spend(new Charge(CLIENT, spec, cost));
        }

        boolean admits(BucketSpec spec) {
            return spend(spec, 1).allowed();
        }

        Receipt receipt(BucketSpec spec, long cost) {
            return spend(spec, cost).charges().get(0).receipt();
        }

        long remaining(BucketSpec spec) {
            return spend(spec, 0).charges().get(0).limits().get(0).remaining();
        }

        /** How long the next request would wait, in nanoseconds. */
        long waitNanos(BucketSpec spec) {
            return look(spec).waitNanos();
        }

        private LimitState look(BucketSpec spec) {
            return spend(new Charge(CLIENT, spec, 1).as(Charge.Kind.LOOK))
                    .charges()
                    .get(0)
                    .limits()
                    .get(0);
        }
    }

    static BucketSpec spec(Limit... limits) {
        return new BucketSpec("orders", "everyone", 1, List.of(limits), StorePolicy.UNSET);
    }
}
