package io.ratelimit.core.bucket;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.store.StoreException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells operators of trouble with the store: one line when it begins, one when it has been over for a while, and the
 * listener of each failure in between. Thread-safe.
 */
public final class FailureLog {

    private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

    /** So long must a store answer without a failure before the trouble is called over. */
    private static final long QUIET_NANOS = 5_000_000_000L;

    private record Trouble(
            long begunNanos, AtomicLong lastNanos, AtomicLong failures, AtomicReference<String> lastCause) {}

    private final String subject;
    private final String meanwhile;
    private final TimeSource timeSource;
    private final RateLimitListener listener;
    private final AtomicReference<@Nullable Trouble> trouble = new AtomicReference<>();

    /**
     * Starts without trouble.
     *
     * @param subject what may fail, as a sentence begins: {@code The shared store}
     * @param timeSource tells how long trouble lasts
     * @param listener hears of each failure; does not throw
     */
    public FailureLog(String subject, TimeSource timeSource, RateLimitListener listener) {
        this(subject, "onFailure answers", timeSource, listener);
    }

    /**
     * Starts without trouble.
     *
     * @param subject what may fail, as a sentence begins: {@code The shared store}
     * @param meanwhile what goes on while it does, as a sentence without its full stop: {@code onFailure answers}
     * @param timeSource tells how long trouble lasts
     * @param listener hears of each failure; does not throw
     */
    public FailureLog(String subject, String meanwhile, TimeSource timeSource, RateLimitListener listener) {
        this.subject = subject;
        this.meanwhile = meanwhile;
        this.timeSource = timeSource;
        this.listener = listener;
    }

    /**
     * What is wrong.
     *
     * @return a sentence from the first failure until the store has answered for a while without another; empty otherwise
     */
    public Optional<String> trouble() {
        Trouble current = trouble.get();
        if (current == null) {
            return Optional.empty();
        }
        long seconds = (timeSource.nanoTime() - current.begunNanos) / 1_000_000_000L;
        return Optional.of(subject + " fails since " + seconds + " s, " + meanwhile + ": " + current.lastCause);
    }

    /**
     * Takes note of a failure.
     *
     * @param failure what has failed, or a {@link CompletionException} for it
     */
    public void failed(Throwable failure) {
        Throwable cause = causeOf(failure);
        long now = timeSource.nanoTime();
        String description = describe(cause);
        Trouble begun = new Trouble(now, new AtomicLong(now), new AtomicLong(), new AtomicReference<>(description));
        Trouble before = trouble.compareAndExchange(null, begun);
        if (before == null) {
            LOG.warn("{} fails, {}: {}", subject, meanwhile, description);
        }
        Trouble current = before == null ? begun : before;
        current.lastNanos.set(now);
        current.failures.incrementAndGet();
        current.lastCause.set(description);
        listener.onFailure(kind(cause), cause);
    }

    /** Takes note of an answer. */
    public void answered() {
        Trouble current = trouble.get();
        if (current == null) {
            return;
        }
        long now = timeSource.nanoTime();
        if (now - current.lastNanos.get() > QUIET_NANOS && trouble.compareAndSet(current, null)) {
            LOG.info(
                    "{} answers again after {} s, failures: {}",
                    subject,
                    (current.lastNanos.get() - current.begunNanos) / 1_000_000_000L,
                    current.failures);
        }
    }

    private static Throwable causeOf(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private static String kind(Throwable cause) {
        return cause instanceof StoreException failure ? failure.kind() : "store-error";
    }

    private static String describe(Throwable cause) {
        return cause instanceof StoreException ? String.valueOf(cause.getMessage()) : cause.toString();
    }
}
