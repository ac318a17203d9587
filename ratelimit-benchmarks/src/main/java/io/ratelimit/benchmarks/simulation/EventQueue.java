package io.ratelimit.benchmarks.simulation;

import java.util.Arrays;

/**
 * What is going to happen, in the order of time; what is due at the same time, in the order in which it was added. A binary
 * heap over arrays, since some hundred thousand messages may be under way. Used by one thread.
 */
final class EventQueue {

    private static final int FIRST_CAPACITY = 1024;

    private final VirtualClock clock;
    private long[] times = new long[FIRST_CAPACITY];
    private long[] numbers = new long[FIRST_CAPACITY];
    private Runnable[] events = new Runnable[FIRST_CAPACITY];
    private int size;
    private long added;

    EventQueue(VirtualClock clock) {
        this.clock = clock;
    }

    /** Adds an event that happens some time from now. */
    void in(long nanos, Runnable event) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        long time = clock.nanoTime() + nanos;
        int at = size++;
        while (at > 0 && time < times[(at - 1) / 2]) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        put(at, time, added++, event);
    }

    /** Lets all happen that is due until a time, and that time come. */
    void runUntil(long nanos) {
        while (size > 0 && times[0] <= nanos) {
            clock.advanceTo(times[0]);
            removeFirst().run();
        }
        clock.advanceTo(nanos);
    }

    private Runnable removeFirst() {
        Runnable first = events[0];
        int last = --size;
        long time = times[last];
        long number = numbers[last];
        int at = 0;
        for (int child = earlierChild(at); child < last && isBefore(child, time, number); child = earlierChild(at)) {
            move(child, at);
            at = child;
        }
        put(at, time, number, events[last]);
        Arrays.fill(events, last, last + 1, null);
        return first;
    }

    /** The left one where there is none. */
    private int earlierChild(int parent) {
        int left = 2 * parent + 1;
        int right = left + 1;
        return right < size && isBefore(right, times[left], numbers[left]) ? right : left;
    }

    private boolean isBefore(int place, long time, long number) {
        return times[place] < time || (times[place] == time && numbers[place] < number);
    }

    private void move(int from, int to) {
        put(to, times[from], numbers[from], events[from]);
    }

    private void put(int place, long time, long number, Runnable event) {
        times[place] = time;
        numbers[place] = number;
        events[place] = event;
    }
}
