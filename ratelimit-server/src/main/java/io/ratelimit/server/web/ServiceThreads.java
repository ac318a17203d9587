package io.ratelimit.server.web;

import io.ratelimit.core.thread.DaemonThreads;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The threads of the service beside those that answer requests. */
final class ServiceThreads implements AutoCloseable {

    /** What another process publishes reaches hosts within this and their retrieval. */
    static final Duration WATCH = Duration.ofMillis(250);

    private static final int SENDING = 8;

    private final ScheduledExecutorService periodic;
    private final ThreadPoolExecutor sending;

    ServiceThreads() {
        periodic = new ScheduledThreadPoolExecutor(1, new DaemonThreads("rules-periodic"));
        sending = new ThreadPoolExecutor(
                SENDING, SENDING, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads("rules-events"));
        sending.allowCoreThreadTimeOut(true);
    }

    Executor sending() {
        return sending;
    }

    void repeat(Duration pause, Runnable task) {
        periodic.scheduleWithFixedDelay(task, 0, pause.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        periodic.shutdownNow();
        sending.shutdownNow();
    }
}
