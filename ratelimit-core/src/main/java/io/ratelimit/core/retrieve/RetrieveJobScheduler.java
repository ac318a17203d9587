package io.ratelimit.core.retrieve;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retrieves rules at the start, on the caller's thread, so that a host has rules before it serves; then periodically on
 * one daemon thread of its own, with jitter, less often while the source fails, and at once when the source tells of a
 * change. Thread-safe.
 */
public final class RetrieveJobScheduler implements JobScheduler {

    private static final Logger LOG = LoggerFactory.getLogger(RetrieveJobScheduler.class);
    /** With the source's own threads, which end after this one, it stays below a second. */
    private static final Duration STOP_TIMEOUT = Duration.ofMillis(500);

    private final RetrieveRulesTask task;
    private final PollSchedule schedule;
    private final RetrieveLoop loop;

    private boolean started;
    private boolean stopped;
    private @Nullable Thread thread;

    /**
     * Makes a scheduler; nothing runs yet.
     *
     * @param task the retrieval; closed when the scheduler is stopped
     * @param schedule how often it runs
     * @param random gives the jitter; used by one thread at a time
     */
    public RetrieveJobScheduler(RetrieveRulesTask task, PollSchedule schedule, RandomGenerator random) {
        this(task, schedule, random, new Bell());
    }

    private RetrieveJobScheduler(RetrieveRulesTask task, PollSchedule schedule, RandomGenerator random, Bell bell) {
        this(task, schedule, random, (Pause) bell);
        if (!schedule.interval().isZero()) {
            task.onNews(bell::ring);
        }
    }

    RetrieveJobScheduler(RetrieveRulesTask task, PollSchedule schedule, RandomGenerator random, Pause pause) {
        this.task = task;
        this.schedule = schedule;
        this.loop = new RetrieveLoop(task, new PollDelays(schedule, random), pause);
    }

    /**
     * Retrieves the rules once on the calling thread, which takes no longer than the source's timeouts allow, then
     * starts the periodic retrieval. Its thread has the caller's context class loader.
     */
    @Override
    public void start() {
        synchronized (this) {
            if (started || stopped) {
                throw new IllegalStateException("a scheduler is started once: make another one");
            }
            started = true;
        }
        task.run();
        startThread();
    }

    /**
     * Interrupts the retrieval that is under way, waits until its thread has ended, and closes the source. Takes less
     * than a second.
     */
    @Override
    public void stop() {
        loop.stop();
        Thread running;
        synchronized (this) {
            if (stopped) {
                return;
            }
            stopped = true;
            running = thread;
            thread = null;
        }
        if (running != null && running != Thread.currentThread()) {
            end(running);
        }
        task.close();
    }

    private synchronized void startThread() {
        if (stopped || schedule.interval().isZero()) {
            return;
        }
        Thread created = new Thread(loop, "ratelimit-retrieve-rules");
        created.setDaemon(true);
        created.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        created.start();
        thread = created;
    }

    private static void end(Thread running) {
        running.interrupt();
        try {
            TimeUnit.NANOSECONDS.timedJoin(running, STOP_TIMEOUT.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (running.isAlive()) {
            LOG.warn("The thread {} has not ended yet: it hangs in the rules source", running.getName());
        }
    }
}
