package io.ratelimit.core.lease;

import io.ratelimit.store.BucketSpec;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The leases under one rule. Thread-safe. */
final class LeasedRule {

    /** So that a flood of clients takes no memory. Beyond it, newcomers ask for each request. */
    private static final int MOST_CLIENTS = 100_000;

    private static final long IDLE_LEASES = 60;

    /** A plan, and what it was made for. */
    private record Made(int hosts, boolean settled, LeasePlan plan) {}

    private final BucketSpec spec;
    private final long leaseNanos;
    private final long fromNanos;

    /** By fingerprint, which needs no identifier to be made. */
    private final ConcurrentMap<Long, ClientLeases> clients = new ConcurrentHashMap<>();

    private volatile @Nullable Made made;
    private volatile long usedNanos;

    /**
     * Begins without leases.
     *
     * @param spec the rule's buckets
     * @param leaseNanos how long a lease is good for
     * @param nanos the time; leases are taken once those of the rule that this one replaces are over
     */
    LeasedRule(BucketSpec spec, long leaseNanos, long nanos) {
        this.spec = spec;
        this.leaseNanos = leaseNanos;
        this.fromNanos = nanos + leaseNanos;
        this.usedNanos = nanos;
    }

    LeasePlan plan(HostCount hosts, long nanos) {
        if (nanos - usedNanos > leaseNanos) {
            usedNanos = nanos;
        }
        boolean settled = hosts.isSettled(nanos);
        int most = nanos - fromNanos < 0 ? 0 : hosts.most(nanos);
        Made known = made;
        if (known == null || known.hosts != most || known.settled != settled) {
            known = new Made(
                    most,
                    settled,
                    settled && most > 0 ? LeasePlan.settled(spec, most) : LeasePlan.unsettled(spec, most));
            made = known;
        }
        return known.plan;
    }

    /**
     * A client's leases; null where there is no room for another client.
     *
     * @param fingerprint the client's
     */
    @Nullable
    ClientLeases of(long fingerprint) {
        ClientLeases known = clients.get(fingerprint);
        if (known != null || clients.size() >= MOST_CLIENTS) {
            return known;
        }
        return clients.computeIfAbsent(fingerprint, made -> new ClientLeases(leaseNanos));
    }

    /** Forgets clients that are idle, and ends what is over. */
    List<EndedLease> sweep(long nanos) {
        List<EndedLease> ended = new ArrayList<>();
        clients.values().removeIf(client -> {
            ended.addAll(client.sweep(nanos));
            return client.isIdle(nanos);
        });
        return ended;
    }

    /** Whether the rule is likely no longer in force. */
    boolean isIdle(long nanos) {
        return clients.isEmpty() && nanos - usedNanos > IDLE_LEASES * leaseNanos;
    }

    /** Ends all leases. */
    List<EndedLease> end() {
        return clients.values().stream()
                .map(ClientLeases::end)
                .flatMap(Collection::stream)
                .toList();
    }
}
