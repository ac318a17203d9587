package io.ratelimit.core.watch;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.explain.WaitText;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A line for some refusals, and how many it had none for: an attack must not fill the disk. A second begins with a refusal;
 * who comes when all its lines are written is counted, which takes no look at a clock. Thread-safe.
 */
final class RefusalLog implements RefusalWatch {

    /** Operators know this name. */
    static final String NAME = "io.ratelimit.refusals";

    private static final Logger LOG = LoggerFactory.getLogger(NAME);

    private final int linesPerSecond;
    private final Consumer<Runnable> inASecond;
    private final AtomicInteger linesLeft;
    private final LongAdder withoutLine = new LongAdder();

    /**
     * Makes a log.
     *
     * @param linesPerSecond how many lines there are in a second, at least 1
     * @param inASecond runs a task when a second is over
     */
    RefusalLog(int linesPerSecond, Consumer<Runnable> inASecond) {
        this.linesPerSecond = linesPerSecond;
        this.inASecond = inASecond;
        this.linesLeft = new AtomicInteger(linesPerSecond);
    }

    @Override
    public boolean wantsNext() {
        if (!LOG.isInfoEnabled()) {
            return false;
        }
        int before = linesLeft.get() > 0 ? linesLeft.getAndDecrement() : 0;
        if (before <= 0) {
            withoutLine.increment();
            return false;
        }
        if (before == linesPerSecond) {
            beginSecond();
        }
        return true;
    }

    @Override
    public void refused(WatchedRefusal request) {
        LOG.info(
                "Refused {} by {}, client {}, {}",
                request.request(),
                policy(request.policy()),
                client(request.client()),
                request.retryAfter()
                        .map(wait -> "retry in " + WaitText.of(wait))
                        .orElse("retry is of no known use"));
    }

    private static String policy(@Nullable String policy) {
        return policy == null ? "onFailure" : policy;
    }

    /** The kind of identity and a fingerprint, which tells clients apart and is of no use outside this process. */
    private static String client(@Nullable ClientIdentifier client) {
        return client == null ? "not looked at" : client.toString();
    }

    private void beginSecond() {
        try {
            inASecond.accept(this::endSecond);
        } catch (RejectedExecutionException closed) {
            // The engine ends, and with it the last second.
        }
    }

    private void endSecond() {
        long more = withoutLine.sumThenReset();
        linesLeft.set(linesPerSecond);
        if (more > 0) {
            LOG.info("Refused {} more within a second, without a line for each", more);
        }
    }
}
