package io.ratelimit.rules;

import java.util.Arrays;
import java.util.Optional;

/** How a limit counts. */
public enum Algorithm {
    /** Tokens refill evenly up to a capacity; a request takes what it costs. */
    TOKEN_BUCKET("token-bucket");

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
