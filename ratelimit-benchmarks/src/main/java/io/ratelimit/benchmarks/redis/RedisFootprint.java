package io.ratelimit.benchmarks.redis;

import io.lettuce.core.ScanArgs;
import io.lettuce.core.ScanCursor;
import io.lettuce.core.api.sync.RedisCommands;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.Interleaved;
import io.ratelimit.benchmarks.Markdown;
import io.ratelimit.redis.RedisBucketStoreFactory;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;

/** What clients' buckets take in Redis, which is emptied for it. */
final class RedisFootprint {

    private static final int MILLION = 1_000_000;
    private static final int LESS = 100_000;
    private static final int UNDER_WAY = 500;
    private static final int SAMPLE = 100;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** So much of the limits that nothing is full again while this is measured. */
    private static final long COST = 900;

    private static final long LIMIT = 1_000;

    private final RedisLimiters limiters;
    private final RedisCommands<byte[], byte[]> server;

    /** Charges one client. */
    private interface Charging {
        void charge(int client) throws InterruptedException;
    }

    RedisFootprint(RedisLimiters limiters) {
        this.limiters = limiters;
        this.server = limiters.commands();
    }

    void addTo(Markdown report, String uri) throws InterruptedException {
        report.table(
                "Memory of clients in Redis",
                "| --- | ---: | ---: | ---: | ---: |",
                List.of("what", "clients", "bytes of a value", "bytes of a client, all in all", "MB"));
        try (BucketStore store = new RedisBucketStoreFactory().create(Map.of("redis", uri), TimeSource.system())) {
            add(report, "ours, one limit", MILLION, store, COST, hours(1, Algorithm.TOKEN_BUCKET));
            add(report, "ours, three limits", MILLION, store, COST, hours(3, Algorithm.TOKEN_BUCKET));
            add(report, "ours, a fixed window", LESS, store, COST, hours(1, Algorithm.FIXED_WINDOW));
            add(report, "ours, a log of one request", LESS, store, 1, hours(1, Algorithm.SLIDING_WINDOW_LOG));
            add(report, "ours, a log of 100 tokens", LESS, store, 100, hours(1, Algorithm.SLIDING_WINDOW_LOG));
        }
        for (int limits : new int[] {1, 3}) {
            add(
                    report,
                    "Bucket4j, limits: " + limits,
                    LESS,
                    client -> limiters.consume("client-" + client, limits, COST));
        }
    }

    private static List<Limit> hours(int limits, Algorithm algorithm) {
        return IntStream.rangeClosed(1, limits)
                .mapToObj(i -> new Limit(LIMIT, Duration.ofHours(i), LIMIT, algorithm, LimitOptions.NONE))
                .toList();
    }

    private void add(Markdown report, String what, int clients, BucketStore store, long cost, List<Limit> limits)
            throws InterruptedException {
        BucketSpec bucket = new BucketSpec("orders", "everyone", 1, limits, StorePolicy.UNSET);
        Semaphore underWay = new Semaphore(UNDER_WAY);
        add(report, what, clients, client -> {
            underWay.acquire();
            ClientIdentifier name = ClientIdentifier.of("user", "client-" + client);
            store.spend(List.of(new Charge(name, bucket, cost)), PATIENCE)
                    .whenComplete((outcome, failure) -> underWay.release());
        });
        underWay.acquire(UNDER_WAY);
    }

    private void add(Markdown report, String what, int clients, Charging charging) throws InterruptedException {
        server.flushall();
        long before = usedBytes();
        for (int client = 0; client < clients; client++) {
            charging.charge(client);
        }
        long bytes = usedBytes() - before;
        report.row(List.of(
                what,
                Interleaved.number(clients),
                Interleaved.number(valueBytes()),
                Interleaved.number(bytes / clients),
                Interleaved.number(bytes / MILLION)));
    }

    private long usedBytes() {
        return server.info("memory")
                .lines()
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .sum();
    }

    /** The median of some clients. */
    private long valueBytes() {
        long[] lengths = server.scan(ScanCursor.INITIAL, ScanArgs.Builder.limit(SAMPLE)).getKeys().stream()
                .mapToLong(server::strlen)
                .sorted()
                .toArray();
        return lengths[lengths.length / 2];
    }
}
