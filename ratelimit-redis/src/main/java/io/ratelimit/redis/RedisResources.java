package io.ratelimit.redis;

import com.google.common.util.concurrent.Uninterruptibles;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.Delay;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.channel.Channel;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The threads of one store's connections. Thread-safe. */
final class RedisResources {

    private static final Logger LOG = LoggerFactory.getLogger(RedisResources.class);

    private static final Duration FIRST_RECONNECT = Duration.ofMillis(10);
    private static final Duration LONGEST_RECONNECT = Duration.ofSeconds(1);
    private static final int DOUBLED = 2;

    /** They only connect again; Lettuce wants two. */
    private static final int CONNECTING_THREADS = 2;

    private static final long FAREWELL_MILLIS = 2_000;
    private static final long RETIRED_MILLIS = 1_000;

    private final ClientResources resources;

    /** The thread of the connection that was opened last, which is the only one but in a cluster. */
    private volatile @Nullable EventLoop lastOpened;

    /** Starts threads. A server that is back is found within a second. */
    RedisResources() {
        this.resources = ClientResources.builder()
                .computationThreadPoolSize(CONNECTING_THREADS)
                .nettyCustomizer(new NettyCustomizer() {
                    @Override
                    public void afterChannelInitialized(Channel channel) {
                        lastOpened = channel.eventLoop();
                    }
                })
                .reconnectDelay(
                        () -> Delay.exponential(FIRST_RECONNECT, LONGEST_RECONNECT, DOUBLED, TimeUnit.MILLISECONDS))
                .build();
    }

    ClientResources asLettuceHasThem() {
        return resources;
    }

    /** Does something on a thread of connections, at once if this is one. */
    void execute(Runnable work) {
        EventLoop thread = lastOpened;
        if (thread == null || Thread.currentThread() instanceof FastThreadLocalThread) {
            work.run();
        } else {
            thread.execute(work);
        }
    }

    /** Closes a connection that another has replaced, once the calls on it have had time to end. */
    void retire(StatefulConnection<?, ?> connection) {
        resources.eventExecutorGroup().schedule(connection::closeAsync, RETIRED_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** Closes a client, then ends all threads, even if this one is interrupted: nobody else would. */
    void close(AbstractRedisClient client) {
        try {
            Uninterruptibles.getUninterruptibly(
                    client.shutdownAsync(0, FAREWELL_MILLIS, TimeUnit.MILLISECONDS),
                    FAREWELL_MILLIS,
                    TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn("The connections to Redis could not be closed", e);
        } finally {
            resources.shutdown(0, FAREWELL_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(FAREWELL_MILLIS);
            awaitLastThread();
        }
    }

    /** Where Netty came with an application of a container: its last thread goes a second after all others. */
    private static void awaitLastThread() {
        if (GlobalEventExecutor.class.getClassLoader() == ClassLoader.getSystemClassLoader()) {
            return;
        }
        try {
            GlobalEventExecutor.INSTANCE.awaitInactivity(FAREWELL_MILLIS, TimeUnit.MILLISECONDS);
        } catch (IllegalStateException neverStarted) {
            LOG.debug("Netty's last thread was never started", neverStarted);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
