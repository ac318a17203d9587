package io.ratelimit.core.broadcast;

/** The last sum of a host for a client, as it is passed on. Not thread-safe. */
final class Rumour {

    private PeerNews.Entry entry;
    private long nanos;
    private int told;
    private int line;

    /**
     * Begins to go round.
     *
     * @param entry what is said
     * @param nanos when it was heard
     */
    Rumour(PeerNews.Entry entry, long nanos) {
        this.entry = entry;
        this.nanos = nanos;
        this.line = Rumours.NO_LINE;
    }

    PeerNews.Entry entry() {
        return entry;
    }

    /** Whether something says more of the same. */
    boolean isOlderThan(ConsumptionNews.Item other) {
        ConsumptionNews.Item mine = entry.item();
        return mine.epoch() < other.epoch() || (mine.epoch() == other.epoch() && mine.spent() < other.spent());
    }

    /** It has grown, and nobody has been told. */
    void grow(PeerNews.Entry grown, long nowNanos) {
        entry = grown;
        nanos = nowNanos;
        told = 0;
    }

    /** How often it was told, or was known already where it came to. */
    int told() {
        return told;
    }

    void isTold(int times) {
        told += times;
    }

    /** In which line it waits to be told. */
    int line() {
        return line;
    }

    void waitsIn(int number) {
        line = number;
    }

    boolean isQuietFor(long forNanos, long now) {
        return now - nanos >= forNanos;
    }
}
