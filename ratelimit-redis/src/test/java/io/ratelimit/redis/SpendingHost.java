package io.ratelimit.redis;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;

/** A host in a process of its own, which spends and gives back until it is killed. */
public final class SpendingHost {

    private static final int CLIENTS = 2_000;
    private static final int UNDER_WAY = 50;
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private SpendingHost() {}

    /** Spends at the Redis that is named. */
    public static void main(String[] args) throws InterruptedException {
        BucketStore store = new RedisBucketStoreFactory().create(Map.of("redis", args[0]), TimeSource.system());
        List<BucketSpec> buckets = List.of(
                bucket("even", new Limit(5, Duration.ofSeconds(10), 5, Algorithm.TOKEN_BUCKET, LimitOptions.NONE)),
                bucket("daily", new Limit(1, Duration.ofDays(1), 1, Algorithm.GCRA, LimitOptions.NONE)),
                bucket("window", new Limit(5, Duration.ofSeconds(10), 5, Algorithm.FIXED_WINDOW, LimitOptions.NONE)));
        Semaphore underWay = new Semaphore(UNDER_WAY);
        for (int i = 0; ; i++) {
            underWay.acquire();
            ClientIdentifier client = ClientIdentifier.of("user", "client-" + i * 7 % CLIENTS);
            BucketSpec bucket = buckets.get(i % buckets.size());
            store.spend(List.of(new Charge(client, bucket, 1)), PATIENCE).whenComplete((outcome, failure) -> {
                underWay.release();
                Receipt receipt = failure == null ? outcome.charges().get(0).receipt() : null;
                if (receipt != null && client.hashCode() % 5 == 0) {
                    store.refund(receipt, 1);
                }
            });
        }
    }

    /** A process that spends at the Redis that is named. */
    static Process start(String uri, String... jvmFlags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(jvmFlags));
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
        command.add(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
        command.addAll(List.of(SpendingHost.class.getName(), uri));
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static BucketSpec bucket(String name, Limit limit) {
        return new BucketSpec("orders", name, 1, List.of(limit), StorePolicy.UNSET);
    }
}
