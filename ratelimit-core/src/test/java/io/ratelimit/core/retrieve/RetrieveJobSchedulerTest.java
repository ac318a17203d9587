package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class RetrieveJobSchedulerTest {

    private static final PollSchedule EVERY_SECOND = new PollSchedule(Duration.ofSeconds(1), Duration.ofMinutes(1));

    /** The scheduler's thread waits here for its turn. */
    private final SynchronousQueue<Duration> waits = new SynchronousQueue<>();

    private final Counting source = new Counting();
    private @Nullable RetrieveJobScheduler scheduler;

    @AfterEach
    void stop() {
        if (scheduler != null) {
            scheduler.stop();
        }
    }

    @Test
    void theFirstRetrievalIsOverWhenStartReturns() {
        RetrieveRulesTask task = task();
        scheduler = scheduler(task);
        scheduler.start();

        assertThat(task.status().ready()).isTrue();
        assertThat(source.threads).containsExactly(Thread.currentThread());
    }

    @Test
    void laterRetrievalsComeFromOneDaemonThreadWithTheStartersClassLoader() throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        ClassLoader application = new ClassLoader(before) {};
        Thread.currentThread().setContextClassLoader(application);
        try {
            scheduler = scheduler(task());
            scheduler.start();
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        waits.take();
        waits.take();
        waits.take();

        Thread thread = source.threads.get(1);
        assertThat(thread).isNotSameAs(Thread.currentThread()).isSameAs(source.threads.get(2));
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getContextClassLoader()).isSameAs(application);
    }

    @Test
    void aFailingSourceIsAskedLessAndLessOften() throws Exception {
        source.failing = true;
        scheduler = scheduler(task());
        scheduler.start();
        List<Long> seconds = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            seconds.add(Math.round(waits.take().toMillis() / 1000.0));
        }

        assertThat(seconds).isSorted();
        assertThat(seconds.get(3)).isBetween(12L, 20L);
    }

    @Test
    void whatCannotChangeIsAskedForOnceWithoutAThread() {
        scheduler = new RetrieveJobScheduler(task(), PollSchedule.ONCE, new Random(1), waits::put);
        int threads = threads();
        scheduler.start();

        assertThat(source.asked).hasValue(1);
        assertThat(threads()).isEqualTo(threads);
    }

    @Test
    void stoppingEndsTheThreadWithinASecondWhileItWaits() throws Exception {
        scheduler = new RetrieveJobScheduler(task(), EVERY_SECOND, new Random(1));
        scheduler.start();
        int threads = threads();

        assertThat(timeToStop()).isLessThan(Duration.ofSeconds(1));
        assertThat(threads).isPositive();
        assertThat(threads()).isEqualTo(threads - 1);
        assertThat(source.closed).hasValue(1);
    }

    @Test
    void stoppingEndsTheThreadWithinASecondInTheMiddleOfARetrieval() throws Exception {
        scheduler = scheduler(task());
        scheduler.start();
        source.hanging = true;
        waits.take();
        source.hung.await();

        assertThat(timeToStop()).isLessThan(Duration.ofSeconds(1));
        Thread thread = source.threads.get(1);
        thread.join(1000);
        assertThat(thread.isAlive()).isFalse();
    }

    @Test
    void aSourceThatCannotBeInterruptedIsLeftBehindWithAWarning() throws Exception {
        try (CapturedLog log = new CapturedLog(RetrieveJobScheduler.class)) {
            scheduler = scheduler(task());
            scheduler.start();
            source.deaf = true;
            waits.take();
            source.hung.await();

            assertThat(timeToStop()).isLessThan(Duration.ofSeconds(1));
            assertThat(log.warnings()).singleElement().asString().contains("has not ended yet");
            source.deaf = false;
            await().until(() -> !source.threads.get(1).isAlive());
        }
    }

    @Test
    void anInterruptBySomebodyElseDoesNotEndTheRetrieval() throws Exception {
        scheduler = scheduler(task());
        scheduler.start();
        waits.take();
        waits.take();
        source.threads.get(1).interrupt();
        waits.take();
        waits.take();

        assertThat(source.threads.get(1).isAlive()).isTrue();
        assertThat(source.asked.get()).isGreaterThanOrEqualTo(3);
    }

    @Test
    void aSchedulerIsStartedOnce() {
        scheduler = scheduler(task());
        scheduler.start();
        assertThatIllegalStateException().isThrownBy(scheduler::start);
        scheduler.stop();
        scheduler.stop();
        assertThatIllegalStateException().isThrownBy(scheduler::start);
        assertThat(source.closed).hasValue(1);
    }

    private Duration timeToStop() {
        long before = System.nanoTime();
        scheduler.stop();
        return Duration.ofNanos(System.nanoTime() - before);
    }

    private static int threads() {
        return (int) Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ratelimit-retrieve-rules"))
                .count();
    }

    private RetrieveJobScheduler scheduler(RetrieveRulesTask task) {
        return new RetrieveJobScheduler(task, EVERY_SECOND, new Random(1), waits::put);
    }

    private RetrieveRulesTask task() {
        return new RetrieveRulesTask(
                source,
                document -> RuleSet.open("orders"),
                rules -> {},
                null,
                new RateLimitListener() {},
                TimeSource.system());
    }

    private static final class Counting implements RulesSource {

        private final AtomicInteger asked = new AtomicInteger();
        private final AtomicInteger closed = new AtomicInteger();
        private final List<Thread> threads = new CopyOnWriteArrayList<>();
        private final CountDownLatch hung = new CountDownLatch(1);
        private volatile boolean failing;
        private volatile boolean hanging;
        private volatile boolean deaf;

        @Override
        public String location() {
            return "test";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException {
            asked.incrementAndGet();
            threads.add(Thread.currentThread());
            if (failing) {
                throw new IOException("test: gone");
            }
            if (hanging) {
                hung.countDown();
                TimeUnit.MINUTES.sleep(1);
            }
            while (deaf) {
                hung.countDown();
                LockSupport.parkNanos(1_000_000);
            }
            return last == null
                    ? Optional.of(new RulesDocument("test", "one".getBytes(UTF_8), "", 1))
                    : Optional.empty();
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }
}
