package io.ratelimit.benchmarks;

import io.github.bucket4j.Bucket;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.ratelimit.rules.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * What one writes around a limiter that knows no clients: a map of limiters by the client's name, which nothing ever
 * leaves. Thread-safe.
 *
 * @param <T> the limiter, or its state
 */
public final class LimiterMap<T> implements ClientTable {

    private final ConcurrentHashMap<String, T> limiters = new ConcurrentHashMap<>();
    private final Function<String, T> fresh;
    private final Predicate<T> acquire;

    LimiterMap(Function<String, T> fresh, Predicate<T> acquire) {
        this.fresh = fresh;
        this.acquire = acquire;
    }

    /**
     * A map of what the generic cell rate algorithm keeps.
     *
     * @param limit the limit of each client
     * @return an empty map
     */
    public static LimiterMap<AtomicLong> ofGcra(Limit limit) {
        Gcra gcra = Gcra.of(limit);
        return new LimiterMap<>(client -> gcra.full(), gcra::tryAcquire);
    }

    static LimiterMap<Bucket> ofBucket4j(Limit limit) {
        Peers peers = new Peers(limit);
        return new LimiterMap<>(client -> peers.bucket4j(), bucket -> bucket.tryConsume(1));
    }

    static LimiterMap<RateLimiter> ofResilience4j(Limit limit) {
        RateLimiterConfig config = new Peers(limit).resilience4j();
        return new LimiterMap<>(client -> RateLimiter.of(client, config), RateLimiter::acquirePermission);
    }

    static LimiterMap<com.google.common.util.concurrent.RateLimiter> ofGuava(Limit limit) {
        Peers peers = new Peers(limit);
        return new LimiterMap<>(client -> peers.guava(), com.google.common.util.concurrent.RateLimiter::tryAcquire);
    }

    @Override
    public boolean tryAcquire(String client) {
        T limiter = limiters.get(client);
        if (limiter == null) {
            limiter = limiters.computeIfAbsent(client, fresh);
        }
        return acquire.test(limiter);
    }
}
