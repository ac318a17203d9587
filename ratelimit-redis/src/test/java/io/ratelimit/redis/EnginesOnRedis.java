package io.ratelimit.redis;

import io.ratelimit.core.RateLimitEngine;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Hosts of one service in this process, each with an engine of its own, and the server that they share. */
final class EnginesOnRedis implements AutoCloseable {

    private final RedisProcess redis = RedisProcess.start62();
    private final List<RateLimitEngine> hosts = new ArrayList<>();

    RedisProcess redis() {
        return redis;
    }

    List<RateLimitEngine> hosts() {
        return hosts;
    }

    /** Starts another host, whose rules are written to a directory. */
    RateLimitEngine start(Path directory, String rules, Map<String, String> settings) throws IOException {
        Path file = Files.writeString(directory.resolve("ratelimit.yaml"), rules);
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(file.toString())
                .setting("redis", redis.uri())
                .settings(settings)
                .build();
        hosts.add(engine);
        engine.start();
        return engine;
    }

    /** Whether all know of one another. */
    boolean knowHowManyTheyAre() {
        return hosts.stream().allMatch(host -> host.sharedStore().hosts() == hosts.size());
    }

    @Override
    public void close() {
        hosts.forEach(RateLimitEngine::close);
        redis.close();
    }
}
