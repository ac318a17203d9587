package io.ratelimit.core.algorithm;

/** What a limit counts with when its options are left out, and the part of a state that belongs to it. */
final class Undecorated {

    private final LimitAlgorithm algorithm;
    private final long[] state;

    private Undecorated(LimitAlgorithm algorithm, long[] state) {
        this.algorithm = algorithm;
        this.state = state;
    }

    /**
     * Takes the options off.
     *
     * @param algorithm how a limit counts, with or without options
     * @param state a state of it
     * @return what is inside
     */
    static Undecorated of(LimitAlgorithm algorithm, long[] state) {
        LimitAlgorithm inside = algorithm;
        long[] words = state;
        while (inside instanceof Decorator decorator) {
            words = decorator.innerState(words);
            inside = decorator.inner();
        }
        return new Undecorated(inside, words);
    }

    LimitAlgorithm algorithm() {
        return algorithm;
    }

    long[] state() {
        return state;
    }
}
