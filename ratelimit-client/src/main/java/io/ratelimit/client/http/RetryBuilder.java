package io.ratelimit.client.http;

import io.ratelimit.Permits;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * What {@link RetryingHttpClient} and {@link RetryingFeature} have in common. Not thread-safe.
 *
 * @param <B> the builder itself
 */
public abstract class RetryBuilder<B extends RetryBuilder<B>> {

    private int attempts = 4;
    private Duration firstWait = Duration.ofMillis(100);
    private Duration longestWait = Duration.ofSeconds(30);
    private int retriesInARow = 100;
    private int mostWaiting = 1_000;
    private int mostKeptBytes = 2 << 20;
    private boolean repeatsAll;
    private @Nullable Permits pace;
    private RandomGenerator random = new SharedRandom();
    private Pause pause = Pause.system();

    RetryBuilder() {}

    abstract B self();

    /**
     * How often a request is sent at most.
     *
     * @param most at least 1, the first attempt included; 4 by default
     * @return this builder
     */
    public B attempts(int most) {
        this.attempts = most;
        return self();
    }

    /**
     * How long to wait where the server does not say. Half of that on average, and twice as much after each failure.
     *
     * @param first the ceiling of the first wait, at least 0; 100 ms by default
     * @param longest the ceiling of all waits, and the longest that a server may ask for; 30 s by default
     * @return this builder
     */
    public B waits(Duration first, Duration longest) {
        this.firstWait = first;
        this.longestWait = longest;
        return self();
    }

    /**
     * How many requests may be repetitions. Over a longer time it is a tenth of the requests.
     *
     * @param inARow how many at once, at least 0; 100 by default
     * @return this builder
     */
    public B retryBudget(int inARow) {
        this.retriesInARow = inARow;
        return self();
    }

    /**
     * How many requests may wait to be sent again. Whoever finds no place gets the answer that there is.
     *
     * @param most at least 0; 1,000 by default
     * @return this builder
     */
    public B mostWaiting(int most) {
        this.mostWaiting = most;
        return self();
    }

    /**
     * How much of a body of unknown length is kept to send it again.
     *
     * @param bytes at least 0, for each request; 2 MiB by default
     * @return this builder
     */
    public B mostKeptBytes(int bytes) {
        this.mostKeptBytes = bytes;
        return self();
    }

    /**
     * Says that all requests may be done twice: a {@code POST} is then repeated as a {@code GET} is. One with the header
     * {@code Idempotency-Key} is anyway.
     *
     * @return this builder
     */
    public B repeatAll() {
        this.repeatsAll = true;
        return self();
    }

    /**
     * Takes a token for each attempt, so that the server has less to refuse.
     *
     * @param permits the limit to keep, such as the one that the server is known to have
     * @return this builder
     */
    public B pace(Permits permits) {
        this.pace = permits;
        return self();
    }

    B random(RandomGenerator source) {
        this.random = source;
        return self();
    }

    B pause(Pause other) {
        this.pause = other;
        return self();
    }

    /**
     * What is set, for one client.
     *
     * @throws IllegalArgumentException if a number or a time is out of its range
     */
    Retries retries() {
        if (mostWaiting < 0) {
            throw new IllegalArgumentException("mostWaiting is " + mostWaiting + ": it must be at least 0");
        }
        RetrySettings settings = new RetrySettings(
                attempts,
                new Backoff(firstWait, longestWait, random),
                longestWait,
                new RepeatRules(repeatsAll),
                mostKeptBytes);
        return new Retries(settings, new RetryLimits(new RetryBudget(retriesInARow), mostWaiting), pace, pause);
    }

    /** Of whichever thread asks. */
    private static final class SharedRandom implements RandomGenerator {

        @Override
        public long nextLong() {
            return ThreadLocalRandom.current().nextLong();
        }
    }
}
