package io.ratelimit.core.queue;

import io.ratelimit.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client that wait for the same buckets. Each has the turn that its tokens come at. Where one leaves,
 * those behind it that have paid as much move up by one turn each: the bucket knows turns, and not whose they are. The last of
 * these turns is nobody's then, and only what was paid for that can be given back. Thread-safe; waiters are called without a lock.
 */
final class Line {

    private final TimeSource timeSource;
    private final Alarm alarm;
    private final List<Place> places = new ArrayList<>();
    private @Nullable Runnable cancelNext;

    Line(TimeSource timeSource, Alarm alarm) {
        this.timeSource = timeSource;
        this.alarm = alarm;
    }

    /** Takes a place. */
    synchronized void enter(Place place) {
        int at = places.size();
        while (at > 0 && places.get(at - 1).slot().turnNanos() - place.slot().turnNanos() > 0) {
            at--;
        }
        places.add(at, place);
        if (at == 0) {
            callFirst();
        }
    }

    /**
     * Gives a place up before its turn.
     *
     * @return the slot that nobody has now; null where the place was given up before
     */
    synchronized @Nullable Slot leave(Place leaving) {
        int at = places.indexOf(leaving);
        if (at < 0) {
            return null;
        }
        Slot free = leaving.slot();
        for (Place behind : places.subList(at + 1, places.size())) {
            if (behind.canTakeSlotOf(leaving)) {
                free = behind.moveTo(free);
            }
        }
        places.remove(at);
        long now = timeSource.nanoTime();
        places.sort(Comparator.comparingLong(place -> place.slot().turnNanos() - now));
        callFirst();
        return free;
    }

    /** Gives all places up. */
    synchronized List<Place> end() {
        List<Place> left = List.copyOf(places);
        places.clear();
        callFirst();
        return left;
    }

    private void callFirst() {
        if (cancelNext != null) {
            cancelNext.run();
            cancelNext = null;
        }
        if (!places.isEmpty()) {
            cancelNext = alarm.set(
                    Math.max(0, places.get(0).slot().turnNanos() - timeSource.nanoTime()),
                    this::callThoseWhoseTurnItIs);
        }
    }

    private void callThoseWhoseTurnItIs() {
        for (Place place : takeThoseWhoseTurnItIs()) {
            place.waiter().goOn(place.slot().decision());
        }
    }

    private synchronized List<Place> takeThoseWhoseTurnItIs() {
        long now = timeSource.nanoTime();
        List<Place> due = new ArrayList<>(1);
        while (!places.isEmpty() && places.get(0).slot().turnNanos() - now <= 0) {
            due.add(places.remove(0));
        }
        cancelNext = null;
        callFirst();
        return due;
    }
}
