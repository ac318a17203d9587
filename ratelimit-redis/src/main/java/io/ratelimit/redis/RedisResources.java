package io.ratelimit.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one store's connections. */
final class RedisResources {

    private static final Logger LOG = LoggerFactory.getLogger(RedisResources.class);

    private static final Duration FIRST_RECONNECT = Duration.ofMillis(10);
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    private static final int DOUBLED = 2;
    private static final long FAREWELL_MILLIS = 2_000;

    private RedisResources() {}

    /** A server that is back is found within a second. */
    static ClientResources create() {
        return ClientResources.builder()
                .reconnectDelay(
                        () -> Delay.exponential(FIRST_RECONNECT, LONGEST_RECONNECT, DOUBLED, TimeUnit.MILLISECONDS))
                .build();
    }

    static void close(AbstractRedisClient client, ClientResources resources) {
        try {
            client.shutdownAsync(0, FAREWELL_MILLIS, TimeUnit.MILLISECONDS).get(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
            resources.shutdown(0, FAREWELL_MILLIS, TimeUnit.MILLISECONDS).await(FAREWELL_MILLIS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The connections to Redis could not be closed", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
