package io.ratelimit.redis;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract on the Redis or Valkey that this machine has, if it has one. */
class InstalledRedisTest extends RedisContract {

    private static RedisProcess redis;

    @BeforeAll
    static void startServer() {
        Optional<File> installed = RedisProcess.installed();
        assumeTrue(installed.isPresent(), "there is no redis-server on the path");
        redis = RedisProcess.server(installed.get(), RedisProcess.freePort());
        storesAt(redis.uri());
    }

    @AfterAll
    static void stopServer() {
        if (redis != null) {
            redis.close();
        }
    }
}
