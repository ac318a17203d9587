package io.ratelimit.core.algorithm;

import java.util.Arrays;

/**
 * How much was counted in each of a row of windows: window 0 is the current one, the others are the ones before it, the
 * latest first. A view of a state, which is never written to.
 */
final class WindowCounts {

    /** Where a state has the mark of its current window; the counts follow. */
    static final int MARK = 0;

    private static final int CURRENT = 1;

    private final long[] words;

    WindowCounts(long[] words) {
        this.words = words;
    }

    static WindowCounts none(long mark, int earlierWindows) {
        long[] words = new long[CURRENT + 1 + earlierWindows];
        words[MARK] = mark;
        return new WindowCounts(words);
    }

    long[] words() {
        return words;
    }

    long mark() {
        return words[MARK];
    }

    long count(int window) {
        return words[CURRENT + window];
    }

    /** The number of windows that are counted, the current one included. */
    private int size() {
        return words.length - CURRENT;
    }

    /** What the windows before one, which are the later ones, counted together. */
    long sumBefore(int window) {
        long sum = 0;
        for (int i = 0; i < window; i++) {
            sum += count(i);
        }
        return sum;
    }

    /** The latest window that counted something, or their number if none did. */
    int latestUsed() {
        int window = 0;
        while (window < size() && count(window) == 0) {
            window++;
        }
        return window;
    }

    /** The counts after some windows have ended: the oldest have left. */
    WindowCounts moved(long passed, long newMark) {
        if (passed == 0) {
            return newMark == mark() ? this : at(newMark);
        }
        WindowCounts moved = none(newMark, size() - 1);
        if (passed < size()) {
            int shift = (int) passed;
            System.arraycopy(words, CURRENT, moved.words, CURRENT + shift, size() - shift);
        }
        return moved;
    }

    WindowCounts at(long newMark) {
        long[] changed = words.clone();
        changed[MARK] = newMark;
        return new WindowCounts(changed);
    }

    WindowCounts plus(int window, long tokens) {
        long[] changed = words.clone();
        changed[CURRENT + window] += tokens;
        return new WindowCounts(changed);
    }

    /** The latest of the counts, at most so many tokens together. */
    WindowCounts latest(long most) {
        long[] changed = words.clone();
        long room = most;
        for (int i = CURRENT; i < changed.length; i++) {
            changed[i] = Math.min(room, changed[i]);
            room -= changed[i];
        }
        return new WindowCounts(changed);
    }

    @Override
    public String toString() {
        return Arrays.toString(words);
    }
}
