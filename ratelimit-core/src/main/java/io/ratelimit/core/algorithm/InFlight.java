package io.ratelimit.core.algorithm;

/**
 * The first two words of an algorithm that counts requests under way, and of its receipts: how many tokens they hold, and
 * since when they are counted. A charge of a count that began at another time frees nobody's place in this one, so that a
 * limit that a reload takes and another brings back counts from its return on. Immutable.
 */
final class InFlight {

    /** How many words these are. */
    static final int WORDS = 2;

    private static final int TOKENS = 0;
    private static final int SINCE = 1;

    private final long tokens;
    private final long since;

    private InFlight(long tokens, long since) {
        this.tokens = tokens;
        this.since = since;
    }

    /** A count that begins now. */
    static InFlight none(Moment now) {
        return new InFlight(0, now.nanos());
    }

    static InFlight of(long[] words) {
        return new InFlight(words[TOKENS], words[SINCE]);
    }

    /** What an earlier limit counts of the requests under way; none where it does not count those. */
    static InFlight of(LimitAlgorithm earlier, long[] state, Moment now) {
        return earlier.countsInFlight() ? of(state) : none(now);
    }

    /** What {@link #departing} made, on a clock of which it is now. */
    static InFlight arrived(long[] departed, Moment now) {
        return new InFlight(departed[TOKENS], now.nanos() - departed[SINCE]);
    }

    InFlight departing(Moment now) {
        return new InFlight(tokens, now.nanos() - since);
    }

    /** Tokens of the requests under way. */
    long tokens() {
        return tokens;
    }

    InFlight plus(long cost) {
        return new InFlight(tokens + cost, since);
    }

    InFlight minus(long cost) {
        return new InFlight(Math.max(0, tokens - cost), since);
    }

    /** Whether a charge is one of these. */
    boolean counts(long[] receipt) {
        return receipt[SINCE] == since;
    }

    /** The words, followed by others. */
    long[] words(long... others) {
        long[] words = new long[WORDS + others.length];
        words[TOKENS] = tokens;
        words[SINCE] = since;
        System.arraycopy(others, 0, words, WORDS, others.length);
        return words;
    }
}
