package io.ratelimit.core.algorithm;

/**
 * Windows of one length that begin with the client's first request. The mark is the time at which the current window
 * began, in nanoseconds of the keeper's clock, a tick a nanosecond. Times are compared by their difference, so that a
 * clock may wrap.
 *
 * @param windowNanos the length of a window, positive
 */
record ClientBoundaries(long windowNanos) implements Boundaries {

    @Override
    public long first(Moment now) {
        return now.nanos();
    }

    @Override
    public long again(long mark, Moment now) {
        return now.nanos() - mark > 0 ? now.nanos() : mark;
    }

    @Override
    public long passed(long mark, Moment now) {
        return Math.max(0, now.nanos() - mark) / windowNanos;
    }

    @Override
    public long current(long mark, Moment now) {
        return after(mark, passed(mark, now));
    }

    @Override
    public long after(long mark, long windows) {
        return mark + windows * windowNanos;
    }

    @Override
    public long between(long earlier, long later) {
        long distance = later - earlier;
        return distance < 0 || distance % windowNanos != 0 ? -1 : distance / windowNanos;
    }

    @Override
    public long lengthTicks(long mark) {
        return windowNanos;
    }

    @Override
    public long ticksToEnd(long mark, Moment now) {
        return mark + windowNanos - now.nanos();
    }

    @Override
    public long nanosPerTick() {
        return 1;
    }

    @Override
    public long depart(long mark, Moment now) {
        return Math.min(mark - now.nanos(), LONGEST_LAG.toNanos());
    }

    @Override
    public long arrive(long departed, Moment now) {
        if (departed <= -windowNanos || departed > LONGEST_LAG.toNanos()) {
            throw new IllegalArgumentException("no window of " + windowNanos + " ns that is current began " + departed
                    + " ns from now: it must be more than " + -windowNanos + " and at most "
                    + LONGEST_LAG.toNanos());
        }
        return now.nanos() + departed;
    }
}
