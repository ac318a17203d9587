package io.ratelimit.core.broadcast;

import com.google.common.collect.MapMaker;
import io.ratelimit.store.BucketSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What clients have spent on this host, and of whom the others have to hear: not of those who spend little. Thread-safe; told
 * by one thread.
 */
final class ConsumptionLedger {

    /** How long after nobody has spent anything a client is forgotten. */
    static final long IDLE_NANOS = 20_000_000_000L;

    private final ConcurrentMap<Place, Consumption> clients = new ConcurrentHashMap<>();
    private final ConcurrentMap<BucketSpec, SilentShare> shares =
            new MapMaker().weakKeys().makeMap();
    private final Queue<Consumption> untold = new ConcurrentLinkedQueue<>();
    private final Room room;
    private final AtomicLong epochs = new AtomicLong();
    private final IntSupplier hosts;
    /** Asked for once in a period, not by each request. */
    private volatile int knownHosts;

    /**
     * Begins with nothing.
     *
     * @param hosts how many hosts there are, this one included
     * @param most of how many buckets is told, so that a flood takes no more memory than it does of buckets
     */
    ConsumptionLedger(IntSupplier hosts, int most) {
        this.room = new Room(
                most,
                "What clients spend of more than {} buckets here is not told to other hosts until some are forgotten");
        this.hosts = hosts;
        this.knownHosts = hosts.getAsInt();
    }

    void spent(BucketSpec bucket, UUID key, long tokens, long nanos) {
        Place place = new Place(bucket.name(), key);
        Consumption known = clients.get(place);
        if (known == null) {
            if (room.isFullAt(clients.size())) {
                return;
            }
            known = clients.computeIfAbsent(
                    place, made -> new Consumption(bucket, shareOf(bucket), key, epochs::incrementAndGet, nanos));
        }
        if (!Objects.equals(known.bucket(), bucket)) {
            known.follow(bucket, shareOf(bucket));
        }
        if (known.spend(tokens, knownHosts, nanos)) {
            untold.add(known);
        }
    }

    private SilentShare shareOf(BucketSpec bucket) {
        return shares.computeIfAbsent(bucket, SilentShare::of);
    }

    void givenBack(BucketSpec bucket, UUID key, long tokens, long nanos) {
        Consumption known = clients.get(new Place(bucket.name(), key));
        if (known != null && known.giveBack(tokens, knownHosts, nanos)) {
            untold.add(known);
        }
    }

    /** Whether tokens have come back here in a time. */
    boolean hasGivenBackWithin(long forNanos, Place place, long nanos) {
        Consumption known = clients.get(place);
        return known != null && known.hasGivenBackWithin(forNanos, nanos);
    }

    /** Those of whom the others must hear now. */
    List<Consumption> toTell() {
        knownHosts = hosts.getAsInt();
        List<Consumption> telling = new ArrayList<>();
        for (Consumption next = untold.poll(); next != null; next = untold.poll()) {
            telling.add(next);
        }
        return telling;
    }

    /** Ends the silence about a client; null if nothing was spent here lately. */
    Consumption.@Nullable Told tellAll(Place place, long nanos) {
        Consumption known = clients.get(place);
        return known == null ? null : known.tellAll(knownHosts, nanos);
    }

    /** Forgets clients that have not come for a while, and of whom nothing is left untold. */
    void sweep(long nanos) {
        clients.values().removeIf(consumption -> consumption.isIdle(nanos, IDLE_NANOS) && !hasRest(consumption, nanos));
        room.leaves(clients.size());
    }

    private boolean hasRest(Consumption consumption, long nanos) {
        boolean rest = consumption.speakOfTheRest(knownHosts, nanos);
        if (rest) {
            untold.add(consumption);
        }
        return rest;
    }
}
