package io.ratelimit.rules;

import java.util.Arrays;
import java.util.Optional;

/** How a limit counts. */
public enum Algorithm {
    /** Tokens refill up to a capacity; a request takes what it costs. */
    TOKEN_BUCKET("token-bucket"),
    /** What requests cost is poured into a bucket that leaks evenly; a request that would spill over is refused. */
    LEAKY_BUCKET("leaky-bucket"),
    /** The generic cell rate algorithm (ITU-T I.371): requests may come earlier than evenly spaced, up to the burst. */
    GCRA("gcra"),
    /** So many tokens in each window of one period. */
    FIXED_WINDOW("fixed-window"),
    /** So many tokens in the period before each request, counted one by one. */
    SLIDING_WINDOW_LOG("sliding-window-log"),
    /** So many tokens in the period before each request, estimated from the counts of a few windows. */
    SLIDING_WINDOW_COUNTER("sliding-window-counter"),
    /** So many tokens in requests that are under way. */
    CONCURRENCY("concurrency"),
    /** An even rate that is lower after a pause and climbs while it is used. */
    WARM_UP("warm-up");

    private final String word;

    Algorithm(String word) {
        this.word = word;
    }

    /**
     * The algorithm's name in a rules file.
     *
     * @return a word such as {@code token-bucket}
     */
    public String word() {
        return word;
    }

    /**
     * Whether hosts can share buckets that count so. The other algorithms measure what happens on one host.
     *
     * @return false for {@code concurrency} and {@code warm-up}
     */
    public boolean isShareable() {
        return this != CONCURRENCY && this != WARM_UP;
    }

    /**
     * Finds an algorithm by its name in a rules file.
     *
     * @param word the name
     * @return the algorithm, or empty where no algorithm has that name
     */
    public static Optional<Algorithm> ofWord(String word) {
        return Arrays.stream(values())
                .filter(algorithm -> algorithm.word.equals(word))
                .findFirst();
    }
}
