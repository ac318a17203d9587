package io.ratelimit.core.algorithm;

import io.ratelimit.rules.Alignment;
import java.time.Duration;

/**
 * When windows begin and end. A mark, one word of a state, stands for a window; what it means is known here alone. Time
 * is counted in ticks: the steps of the clock that the windows follow.
 *
 * <p>Immutable in effect; safe for use by any thread.
 */
interface Boundaries {

    /**
     * How far a thread's clock reading may lie behind a state that another thread has written meanwhile. A mark that
     * lies no farther ahead is believed.
     */
    Duration LONGEST_LAG = Duration.ofSeconds(1);

    /**
     * The boundaries of windows of one length.
     *
     * @param window the length
     * @param alignment when windows begin
     * @return the boundaries
     * @throws IllegalArgumentException if the calendar has no windows of that length
     */
    static Boundaries of(Duration window, Alignment alignment) {
        return alignment instanceof Alignment.Clock clock
                ? CalendarBoundaries.of(window, clock.zone())
                : new ClientBoundaries(window.toNanos());
    }

    /**
     * The window of a client that has used nothing and spends now.
     *
     * @param now the time
     * @return its mark
     */
    long first(Moment now);

    /**
     * The window of a client whose state is full again and who spends now.
     *
     * @param mark the state's mark
     * @param now the time
     * @return the mark of a new first window, or the state's where the clock lies behind it
     */
    long again(long mark, Moment now);

    /**
     * How many windows have ended since a mark was current.
     *
     * @param mark the mark
     * @param now the time
     * @return at least 0; 0 too where the clock has stepped back
     */
    long passed(long mark, Moment now);

    /**
     * The window that is current for a state.
     *
     * @param mark the state's mark
     * @param now the time
     * @return the current window's mark
     */
    long current(long mark, Moment now);

    /**
     * A later window.
     *
     * @param mark a window's mark
     * @param windows how many windows later, at least 0
     * @return its mark
     */
    long after(long mark, long windows);

    /**
     * How many windows one lies after another.
     *
     * @param earlier the one's mark
     * @param later the other's mark
     * @return at least 0; -1 if the two do not belong to one row of windows
     */
    long between(long earlier, long later);

    /**
     * The length of a window.
     *
     * @param mark its mark
     * @return ticks, at least 1 for a window that has been current
     */
    long lengthTicks(long mark);

    /**
     * The time until a window ends.
     *
     * @param mark its mark: the current window's, or that of a later one
     * @param now the time
     * @return ticks, at least 1
     */
    long ticksToEnd(long mark, Moment now);

    /**
     * The length of a tick.
     *
     * @return nanoseconds
     */
    long nanosPerTick();

    /**
     * A current mark in a form that keeps its meaning on a clock with another origin.
     *
     * @param mark the mark
     * @param now the time
     * @return a word
     */
    long depart(long mark, Moment now);

    /**
     * The mark that has arrived: the inverse of {@link #depart}.
     *
     * @param departed the word
     * @param now the time on this clock
     * @return the mark
     * @throws IllegalArgumentException if the word cannot come from such windows
     */
    long arrive(long departed, Moment now);
}
