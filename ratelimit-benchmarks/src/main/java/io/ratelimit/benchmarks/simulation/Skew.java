package io.ratelimit.benchmarks.simulation;

/** How load is spread. */
enum Skew {
    /** All get as much. */
    EVEN {
        @Override
        double weight(int place, int count) {
            return 1;
        }
    },
    /** The first gets nine times as much as all others. */
    ONE {
        @Override
        double weight(int place, int count) {
            return place == 0 ? Math.max(1, MORE * (count - 1)) : 1;
        }
    },
    /** The second gets half of what the first gets, the third a third. */
    ZIPF {
        @Override
        double weight(int place, int count) {
            return 1.0 / (place + 1);
        }
    };

    private static final double MORE = 9;

    /**
     * How much one gets beside others.
     *
     * @param place which one, from 0
     * @param count how many there are
     */
    abstract double weight(int place, int count);
}
