package io.ratelimit.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {

    private static final long LONG = Duration.ofSeconds(10).toNanos();

    private final DaemonThreads threads = new DaemonThreads("test-thread");

    @RepeatedTest(500)
    void theThreadsOfAnExecutorAreGoneOnceTheirEndWasAwaited() throws Exception {
        AtomicReference<Thread> thread = new AtomicReference<>();
        ExecutorService executor = Executors.newSingleThreadExecutor(threads);
        executor.execute(() -> thread.set(Thread.currentThread()));
        executor.shutdown();
        threads.awaitEnd(LONG);
        assertThat(thread.get().isAlive()).isFalse();
        assertThat(thread.get().getName()).isEqualTo("test-thread");
        assertThat(thread.get().isDaemon()).isTrue();
    }

    @Test
    void aThreadThatDoesNotEndIsWaitedForNoLongerThanAllowed() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread first = threads.newThread(() -> awaitUninterrupted(end));
        Thread second = threads.newThread(() -> awaitUninterrupted(end));
        first.start();
        second.start();
        long begin = System.nanoTime();
        threads.awaitEnd(Duration.ofMillis(50).toNanos());
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofMillis(50), Duration.ofSeconds(5));
        assertThat(first.isAlive()).isTrue();
        end.countDown();
        threads.awaitEnd(LONG);
        assertThat(first.isAlive() || second.isAlive()).isFalse();
    }

    @Test
    void aThreadDoesNotWaitForItself() throws Exception {
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread thread = threads.newThread(() -> {
            try {
                threads.awaitEnd(Long.MAX_VALUE / 2);
            } catch (InterruptedException e) {
                failure.set(e);
            }
        });
        thread.start();
        thread.join(Duration.ofSeconds(10).toMillis());
        assertThat(thread.isAlive()).isFalse();
        assertThat(failure).hasNullValue();
    }

    private static void awaitUninterrupted(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
