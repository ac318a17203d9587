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
import org.jspecify.annotations.Nullable;

/** Our local store, asked for tokens of clients under the limits of one rule. Thread-safe. */
public final class ClientStore implements ClientTable {

    /** Room beyond the clients that are measured, so that none has to be forgotten for another. */
    private static final int MOST_CLIENTS = 12_000_000;

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final LocalBucketStore store;
    private final BucketSpec spec;
    private final @Nullable ClientBuckets buckets;
    private final @Nullable ClientKind users;

    ClientStore(Limit limit) {
        this(limit, TimeSource.system());
    }

    ClientStore(Limit limit, TimeSource clocks) {
        this(List.of(limit), MOST_CLIENTS, clocks);
    }

    /**
     * Makes an empty store.
     *
     * @param limits the limits of each client
     * @param mostClients how many clients it keeps
     * @param time the clock that buckets refill by
     */
    public ClientStore(List<Limit> limits, int mostClients, TimeSource time) {
        store = new LocalBucketStore(time, mostClients);
        spec = new BucketSpec("benchmarks", "everyone", 1, limits, StorePolicy.BUILT_IN);
        buckets = store.bucketsOf(spec);
        users = buckets == null ? null : buckets.kinds().of("user");
    }

    /** What a request of a client is charged, as the engine makes it where several rules apply. */
    List<Charge> chargesOf(String client) {
        return List.of(new Charge(ClientIdentifier.of("user", client), spec, 1));
    }

    /** Asks the store itself, whose answer can be refunded. */
    boolean spend(List<Charge> charges) {
        return store.spend(charges, TIMEOUT).toCompletableFuture().join().allowed();
    }

    /** Forgets clients whose buckets are full again, as an engine does now and then. */
    public void sweep() {
        store.sweep();
    }

    /**
     * How many clients are kept.
     *
     * @return their number, those included who are full again and were not forgotten yet
     */
    public long size() {
        return store.size();
    }

    /** Asks the table for a verdict alone; where a limit does not refill evenly, the store. */
    @Override
    public boolean tryAcquire(String client) {
        if (buckets == null || users == null) {
            return spend(chargesOf(client));
        }
        return buckets.spend(users, client, 1) == Verdict.ALLOWED;
    }
}
