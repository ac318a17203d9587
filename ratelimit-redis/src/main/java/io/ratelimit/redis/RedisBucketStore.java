package io.ratelimit.redis;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.entry.ChargeRouter;
import io.ratelimit.core.entry.TrialCharges;
import io.ratelimit.core.thread.DaemonThreads;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Buckets that all hosts of a service share in Redis or Valkey. Each decision is made on the server's copy, by the server's
 * clock, so the limits hold for all hosts together. All rules of a request that tell clients apart alike cost one hop
 * together where their limits refill evenly, and two where they do not. Thread-safe.
 *
 * <p>A server that dies takes with it what it has not written to its file or sent to its replicas.
 */
public final class RedisBucketStore implements BucketStore {

    private static final Logger LOG = LoggerFactory.getLogger(RedisBucketStore.class);

    private static final long AGREE_SECONDS = 1;
    private static final long FAREWELL_MILLIS = 500;
    private static final int WARM_UP_CLIENTS = 100;
    private static final int WARM_UP_ROUNDS = 20;
    private static final Duration WARM_UP_PATIENCE = Duration.ofSeconds(5);
    private static final Duration LONGEST_WARM_UP = Duration.ofSeconds(3);

    private final RedisLink link;
    private final NamespaceSecret secret;
    private final HostPresence presence;
    private final ChargeRouter router;
    private final DaemonThreads threads = new DaemonThreads("ratelimit-redis");
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(threads);
    private final AtomicBoolean closed = new AtomicBoolean();

    /**
     * Connects.
     *
     * @throws StoreException if Redis cannot be reached, or does not answer
     */
    RedisBucketStore(RedisSettings settings, TimeSource timeSource, RedisTime time) {
        KeyNames names = new KeyNames(settings.namespace());
        this.link = new RedisLink(nodes(settings.location()), timeSource);
        try {
            this.secret = new NamespaceSecret(link, names, settings.clusterSecret());
        } catch (RuntimeException e) {
            link.close();
            throw e;
        }
        this.presence = new HostPresence(link, names, timeSource);
        // A connection's own thread sends at once what has waited for the answer that it brings.
        this.router = new ChargeRouter(new EntryCalls(link, names, time), timeSource, Runnable::run);
        long period = HostPresence.PERIOD.toMillis();
        timer.scheduleWithFixedDelay(() -> attempt(presence::tell), period, period, TimeUnit.MILLISECONDS);
        timer.scheduleWithFixedDelay(() -> attempt(this::agree), AGREE_SECONDS, AGREE_SECONDS, TimeUnit.SECONDS);
        LOG.info("Buckets are shared in Redis, {}", settings);
    }

    private static RedisNodes nodes(RedisLocation location) {
        return location.isCluster()
                ? new ClusterMasters(location, new RedisResources())
                : new OneMaster(location, new RedisResources());
    }

    /** What fails once is tried again. */
    private static void attempt(Runnable work) {
        try {
            work.run();
        } catch (RuntimeException e) {
            LOG.debug("Redis could not be told something", e);
        }
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        String service = charges.get(0).bucket().service();
        if (!service.equals(TrialCharges.SERVICE)) {
            presence.serve(service);
        }
        return router.spend(charges, secret.keys(), timeout);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return router.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return router.undo(receipt, tokens);
    }

    /** Makes sure that all hosts of the namespace name clients alike. */
    CompletableFuture<Void> agree() {
        return secret.agree();
    }

    @Override
    public int hosts() {
        return presence.hosts();
    }

    @Override
    public void warmUp() throws InterruptedException {
        List<ClientIdentifier> clients = IntStream.range(0, WARM_UP_CLIENTS)
                .mapToObj(i -> ClientIdentifier.of("probe", Integer.toString(i)))
                .toList();
        new TrialCharges(this, WARM_UP_PATIENCE).warmUp(clients, WARM_UP_ROUNDS, LONGEST_WARM_UP);
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        attempt(presence::leave);
        timer.shutdownNow();
        PassingThread.run(link::close);
        try {
            threads.awaitEnd(TimeUnit.MILLISECONDS.toNanos(FAREWELL_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
