package io.ratelimit.benchmarks;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.ClientBuckets;
import io.ratelimit.core.bucket.ClientKind;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.Verdict;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** Our local store, asked for tokens of clients under one limit. Thread-safe. */
final class ClientStore implements ClientTable {

    /** Room beyond the clients that are measured, so that none has to be forgotten for another. */
    private static final int MOST_CLIENTS = 12_000_000;

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final LocalBucketStore store;
    private final BucketSpec spec;
    private final ClientBuckets buckets;
    private final ClientKind users;

    ClientStore(Limit limit) {
        this(limit, TimeSource.system());
    }

    ClientStore(Limit limit, TimeSource clocks) {
        store = new LocalBucketStore(clocks, MOST_CLIENTS);
        spec = new BucketSpec("benchmarks", "everyone", 1, List.of(limit), StorePolicy.BUILT_IN);
        buckets = Objects.requireNonNull(store.bucketsOf(spec), "limits that are measured refill evenly");
        users = buckets.clientsOf("user");
    }

    /** What a request of a client is charged, as the engine makes it where several rules apply. */
    List<Charge> chargesOf(String client) {
        return List.of(new Charge(ClientIdentifier.of("user", client), spec, 1));
    }

    /** Asks the store itself, whose answer can be refunded. */
    boolean spend(List<Charge> charges) {
        return store.spend(charges, TIMEOUT).toCompletableFuture().join().allowed();
    }

    /** Asks the table for a verdict alone. */
    @Override
    public boolean tryAcquire(String client) {
        return buckets.spend(users, client, 1) == Verdict.ALLOWED;
    }
}
