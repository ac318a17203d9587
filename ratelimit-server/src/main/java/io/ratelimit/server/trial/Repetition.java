package io.ratelimit.server.trial;

/**
 * Which of several equal requests is explained, all of them at one moment. Immutable.
 *
 * @param times the how many-th it is, from 1, for the first, to {@link #MOST_TIMES}
 * @param status the HTTP status that those before it are answered with, for rules that charge by the response
 */
public record Repetition(int times, int status) {

    /** The most requests in a row. */
    public static final int MOST_TIMES = 10_000;

    /** The smallest HTTP status. */
    public static final int FIRST_STATUS = 100;

    /** The largest HTTP status. */
    public static final int LAST_STATUS = 599;

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if one is out of its range, which the message tells
     */
    public Repetition {
        inRange("times", times, 1, MOST_TIMES);
        inRange("status", status, FIRST_STATUS, LAST_STATUS);
    }

    private static void inRange(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + " is " + value + ": it must be from " + least + " to " + most);
        }
    }
}
