package io.ratelimit.core.report;

import io.ratelimit.TimeSource;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.retrieve.ReportReceiver;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.core.thread.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reports every five seconds, and at once when other rules are in force, on one daemon thread. Thread-safe. */
public final class HostReports implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HostReports.class);

    private static final double PERIOD_NANOS = 5e9;
    private static final double JITTER = 0.2;
    private static final long FAREWELL_NANOS = Duration.ofMillis(500).toNanos();

    private final Reporter reporter;
    private final RandomGenerator random;
    private final DaemonThreads threads = new DaemonThreads("ratelimit-rules-reports");
    private final BlockingQueue<Boolean> news = new ArrayBlockingQueue<>(1);
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * Makes reports; none is sent yet.
     *
     * @param receiver who takes them
     * @param retrieval tells how things stand with the rules
     * @param rules the rules in force
     * @param counts counts decisions
     * @param recorder records requests, or null where none is to be told
     * @param clusterSecret what all hosts of the service are configured with, or null
     * @param time tells when reports begin and end
     * @param random gives the jitter
     */
    public HostReports(
            ReportReceiver receiver,
            RetrieveRulesTask retrieval,
            Supplier<CompiledRules> rules,
            DecisionCounts counts,
            @Nullable RequestRecorder recorder,
            @Nullable String clusterSecret,
            TimeSource time,
            RandomGenerator random) {
        ClientNames names = new ClientNames(new ClientHash(clusterSecret));
        this.reporter = new Reporter(receiver, retrieval, rules, counts, recorder, names, time);
        this.random = random;
    }

    /** Begins to report, at once. */
    public synchronized void start() {
        if (!closed && thread == null) {
            reporter.listen();
            thread = threads.newThread(this::reportAgainAndAgain);
            thread.start();
        }
    }

    /** Lets the next report be made at once. */
    public void wake() {
        news.offer(true);
    }

    /** Ends the thread; a report that is under way is broken off. Takes half a second at most. */
    @Override
    public synchronized void close() {
        closed = true;
        if (thread == null) {
            return;
        }
        thread.interrupt();
        try {
            threads.awaitEnd(FAREWELL_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void reportAgainAndAgain() {
        while (!closed) {
            try {
                // What was news before is in the report.
                news.clear();
                report();
                news.poll((long) (PERIOD_NANOS * (1 + JITTER * (2 * random.nextDouble() - 1))), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // By close(), or by somebody whose interrupt must not end the reports for good.
            }
        }
    }

    private void report() throws InterruptedException {
        try {
            reporter.report();
        } catch (InterruptedException e) {
            throw e;
        } catch (Throwable e) {
            // An Error: the next report may well succeed.
            LOG.debug("A report failed", e);
        }
    }
}
