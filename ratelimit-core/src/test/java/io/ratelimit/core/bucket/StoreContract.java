package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;

/**
 * How a contract of stores speaks with the store under test. Clients and services are fresh in each test, so that stores
 * may be shared by tests.
 */
public abstract class StoreContract {

    protected static final Duration TIMEOUT = Duration.ofSeconds(10);
    protected static final Duration SECOND = Duration.ofSeconds(1);
    protected static final Duration MINUTE = Duration.ofMinutes(1);
    protected static final long NANOS = 1_000_000_000L;

    protected final String service = "service-" + UUID.randomUUID();
    protected final ClientIdentifier alice = ClientIdentifier.of("user", "alice");
    protected final ClientIdentifier bob = ClientIdentifier.of("user", "bob");
    private final List<AutoCloseable> toClose = new ArrayList<>();
    protected ManualTimeSource clock = new ManualTimeSource(12_345);
    private BucketStore store;

    /**
     * Makes the store under test.
     *
     * @param timeSource the clock that its buckets refill by
     * @return a store; its {@code close} is called after the test
     */
    protected abstract BucketStore createStore(TimeSource timeSource);

    /** The unit of the clock that buckets refill by: no wait is told more exactly. */
    protected long tickNanos() {
        return 1;
    }

    /** A wait as the store tells it. */
    protected final long inTicks(long nanos) {
        return -Math.floorDiv(-nanos, tickNanos()) * tickNanos();
    }

    /** Closes what the test has opened. */
    @AfterEach
    final void closeStores() throws Exception {
        for (AutoCloseable closeable : toClose) {
            closeable.close();
        }
    }

    /** The store under test, made at first use. */
    protected final BucketStore store() {
        if (store == null) {
            store = createStore(clock);
            toClose.add(store);
        }
        return store;
    }

    /** Goes on with an empty store on another clock. */
    protected final void restartWith(ManualTimeSource other) {
        clock = other;
        store = null;
    }

    protected final BucketSpec spec(String name, Limit... limits) {
        return spec(name, 1, limits);
    }

    protected final BucketSpec spec(String name, long version, Limit... limits) {
        return new BucketSpec(service, name, version, List.of(limits), StorePolicy.UNSET);
    }

    protected final SpendOutcome spend(ClientIdentifier client, BucketSpec spec, long cost) {
        return spend(List.of(new Charge(client, spec, cost)));
    }

    protected final SpendOutcome spend(List<Charge> charges) {
        return store().spend(charges, TIMEOUT).toCompletableFuture().join();
    }

    protected final SpendOutcome look(ClientIdentifier client, BucketSpec spec) {
        return spend(client, spec, 0);
    }

    protected final int admitted(ClientIdentifier client, BucketSpec spec, int requests) {
        int admitted = 0;
        for (int i = 0; i < requests; i++) {
            admitted += spend(client, spec, 1).allowed() ? 1 : 0;
        }
        return admitted;
    }

    protected final void refund(Receipt receipt, long tokens) {
        store().refund(receipt, tokens).toCompletableFuture().join();
    }

    protected static Receipt receipt(SpendOutcome outcome) {
        assertThat(outcome.allowed()).isTrue();
        return outcome.charges().get(0).receipt();
    }

    protected static List<LimitState> states(SpendOutcome outcome) {
        return outcome.charges().stream()
                .flatMap(charge -> charge.limits().stream())
                .toList();
    }

    protected static long remaining(SpendOutcome outcome) {
        return states(outcome).get(0).remaining();
    }

    protected interface Request {
        boolean send();
    }

    /** Sends so many of each request, mixed, on 16 threads. */
    protected final int admittedOf(int count, Request... requests) throws Exception {
        store();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        try {
            List<Future<Boolean>> answers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                for (Request request : requests) {
                    answers.add(threads.submit(request::send));
                }
            }
            int admitted = 0;
            for (Future<Boolean> answer : answers) {
                admitted += answer.get() ? 1 : 0;
            }
            return admitted;
        } finally {
            threads.shutdownNow();
        }
    }
}
