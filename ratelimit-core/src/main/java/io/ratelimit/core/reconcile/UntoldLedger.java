package io.ratelimit.core.reconcile;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.store.BucketSpec;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** What clients have spent on this host, and of whom the shared store has to be told. Thread-safe. */
final class UntoldLedger {

    /** How long after nobody has spent anything a client is forgotten. */
    private static final long IDLE_NANOS = 20_000_000_000L;

    /** Which bucket of which client. */
    private record Place(String bucket, ClientIdentifier client) {}

    private final int most;
    private final AtomicInteger inLine = new AtomicInteger();
    private final ConcurrentMap<Place, ToldBucket> clients = new ConcurrentHashMap<>();
    private final Queue<ToldBucket> line = new ConcurrentLinkedQueue<>();

    /**
     * Begins with nothing to tell.
     *
     * @param most how many buckets of all rules together there may be, so that a flood takes no memory: what is spent from
     *     others is not told
     */
    UntoldLedger(int most) {
        this.most = most;
    }

    /** What a charge is told with; null if it is not told. */
    @Nullable
    Telling spent(ClientIdentifier client, BucketSpec bucket, long tokens, long nanos) {
        Place place = new Place(bucket.name(), client);
        ToldBucket known = clients.get(place);
        if (known == null) {
            if (clients.size() >= most) {
                return null;
            }
            known = clients.computeIfAbsent(place, made -> new ToldBucket(client, bucket, nanos));
        }
        Telling telling = known.spend(bucket, tokens, nanos);
        if (known.getsInLine()) {
            queue(known);
        }
        return telling;
    }

    /** The next of whom something is to be told; null for nobody. */
    @Nullable
    ToldBucket next() {
        ToldBucket next = line.poll();
        if (next != null) {
            inLine.decrementAndGet();
        }
        return next;
    }

    private void queue(ToldBucket bucket) {
        inLine.incrementAndGet();
        line.add(bucket);
    }

    /** Of how many something is to be told. */
    int inLine() {
        return inLine.get();
    }

    /** Something was told, or was not. */
    void ended(ToldBucket bucket) {
        if (bucket.goesOn()) {
            queue(bucket);
        }
    }

    /** Forgets clients that have not come for a while. */
    void sweep(long nanos) {
        clients.values().removeIf(bucket -> bucket.isIdle(nanos, IDLE_NANOS));
    }
}
