package io.ratelimit.jgroups;

/**
 * Which numbered messages of one sender have come: each is let in once, and none that is much older than the newest (RFC
 * 4303, section 3.4.3, as a ring of bits), or older than the first, which somebody may have recorded before this host knew of
 * the sender. Thread-safe.
 */
final class ReplayWindow {

    /** As far as messages overtake one another on their way and between threads. */
    private static final int SIZE = 4_096;

    private final long[] seen = new long[SIZE / Long.SIZE];
    private long first = -1;
    private long newest = -1;

    /**
     * Lets a number in.
     *
     * @param number from 0
     * @return false if it has come before, or is too old to know
     */
    synchronized boolean admit(long number) {
        if (number < 0 || number < first || number <= newest - SIZE) {
            return false;
        }
        if (first < 0) {
            first = number;
        }
        if (number > newest) {
            forget((int) Math.min(SIZE, number - newest), number);
            newest = number;
        }
        int word = (int) (number % SIZE) / Long.SIZE;
        long bit = 1L << number;
        boolean isNew = (seen[word] & bit) == 0;
        seen[word] |= bit;
        return isNew;
    }

    private void forget(int count, long last) {
        for (int i = 0; i < count; i++) {
            long number = last - i;
            seen[(int) (number % SIZE) / Long.SIZE] &= ~(1L << number);
        }
    }
}
