package io.ratelimit.core.queue;

import com.google.common.collect.Lists;
import io.ratelimit.TimeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one client that wait for the same buckets. Each has the turn that its tokens come at. Where one leaves,
 * those behind it that have paid as much move up by one turn each: the bucket knows turns, and not whose they are. The last of
 * these turns is nobody's then, and what was paid for it is given back.
 *
 * <p>A bucket takes back nothing but its latest charge. So turns are given back from the last on, one after the other, and
 * not while somebody is being charged for a turn behind them, who then moves up instead. Thread-safe; waiters are called
 * without a lock, the store is told with it, for the sake of that order.
 */
final class Line {

    private static final Comparator<Place> BY_TURN = (one, other) -> one.slot().compareTurn(other.slot());

    private final TimeSource timeSource;
    private final Alarm alarm;
    private final List<Place> places = new ArrayList<>();

    /** Turns that are nobody's, and have not been given back yet. */
    private final List<Slot> spares = new ArrayList<>();

    /** Requests that are being charged for a turn. */
    private int expected;

    private @Nullable Runnable cancelNext;

    Line(TimeSource timeSource, Alarm alarm) {
        this.timeSource = timeSource;
        this.alarm = alarm;
    }

    /** Expects a request that is about to be charged for a turn. */
    synchronized void expect() {
        expected++;
    }

    /** Expects one request less: it does not wait here after all. */
    synchronized void expectNoMore() {
        expected--;
        giveBackSpares();
    }

    /** Takes a place, unless it was given up before. */
    synchronized void enter(Place place, Waiter waiter) {
        if (place.stage() == Place.Stage.EXPECTED) {
            takeSpare(place);
            place.enter(waiter);
            places.add(place);
            arrange();
            expectNoMore();
        }
    }

    private void takeSpare(Place place) {
        // One whose time has gone by is lost: those who took several of them would go on all at once.
        spares.removeIf(spare -> untilNanos(spare) < 0);
        for (int i = 0; i < spares.size(); i++) {
            Slot spare = spares.get(i);
            if (spare.isBefore(place.slot()) && spare.isAsGoodAs(place.slot())) {
                spares.set(i, place.moveTo(spare));
                return;
            }
        }
    }

    /** Gives a place up before its turn, if it is not over. */
    synchronized void leave(Place leaving) {
        Place.Stage before = leaving.stage();
        leaving.leave();
        if (before == Place.Stage.EXPECTED) {
            spares.add(leaving.slot());
            expectNoMore();
        } else if (before == Place.Stage.IN_LINE) {
            spares.add(moveUp(leaving));
            giveBackSpares();
        }
    }

    /** Takes a place away. The turn that is nobody's then is its own, or the last that another one behind it had. */
    private Slot moveUp(Place leaving) {
        int at = places.indexOf(leaving);
        Slot free = leaving.slot();
        for (Place behind : places.subList(at + 1, places.size())) {
            if (free.isAsGoodAs(behind.slot())) {
                free = behind.moveTo(free);
            }
        }
        places.remove(at);
        arrange();
        return free;
    }

    /** Lets a request go on with what it has paid, though its turn has not come. */
    synchronized void goOnNow(Place place) {
        if (place.stage() == Place.Stage.EXPECTED) {
            place.leave();
            expectNoMore();
        }
    }

    /** Gives all places up, and what was paid for them back. */
    synchronized List<Place> end() {
        List<Place> left = List.copyOf(places);
        for (Place place : left) {
            place.leave();
            spares.add(place.slot());
        }
        places.clear();
        arrange();
        giveBackSpares();
        return left;
    }

    private void giveBackSpares() {
        spares.sort(Slot::compareTurn);
        if (expected == 0) {
            Lists.reverse(spares).forEach(spare -> spare.takeBack().run());
            spares.clear();
        }
    }

    private void arrange() {
        places.sort(BY_TURN);
        callFirst();
    }

    private void callFirst() {
        if (cancelNext != null) {
            cancelNext.run();
            cancelNext = null;
        }
        if (!places.isEmpty()) {
            cancelNext = alarm.set(Math.max(0, untilNanos(places.get(0).slot())), this::callThoseWhoseTurnItIs);
        }
    }

    private void callThoseWhoseTurnItIs() {
        for (Place place : takeThoseWhoseTurnItIs()) {
            place.waiter().goOn(place.slot().decision());
        }
    }

    private synchronized List<Place> takeThoseWhoseTurnItIs() {
        List<Place> due = new ArrayList<>(1);
        while (!places.isEmpty() && untilNanos(places.get(0).slot()) <= 0) {
            Place first = places.remove(0);
            first.leave();
            due.add(first);
        }
        cancelNext = null;
        callFirst();
        return due;
    }

    private long untilNanos(Slot slot) {
        return slot.turnNanos() - timeSource.nanoTime();
    }
}
