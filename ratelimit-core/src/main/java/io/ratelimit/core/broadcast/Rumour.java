package io.ratelimit.core.broadcast;

import com.google.common.hash.Hashing;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The last sum of a host for a client, as it is passed on. Not thread-safe. */
final class Rumour {

    private final long source;
    private PeerNews.Entry entry;
    private @Nullable Integer fingerprint;
    private long nanos;
    private int told;

    /**
     * Begins to go round.
     *
     * @param bucket the bucket's name
     * @param entry what is said
     * @param nanos when it was heard
     */
    Rumour(String bucket, PeerNews.Entry entry, long nanos) {
        UUID key = entry.item().key();
        this.source = Hashing.murmur3_128()
                .newHasher()
                .putLong(entry.sender().origin())
                .putUnencodedChars(bucket)
                .putLong(key.getMostSignificantBits())
                .putLong(key.getLeastSignificantBits())
                .hash()
                .asLong();
        this.entry = entry;
        this.nanos = nanos;
    }

    PeerNews.Entry entry() {
        return entry;
    }

    /** A hash of where the sum is made, and of what: the same on all hosts. */
    long source() {
        return source;
    }

    /** A hash of what it says, the same on all hosts. */
    int fingerprint() {
        Integer known = fingerprint;
        if (known == null) {
            // Most sums grow before anybody asks.
            known = Hashing.murmur3_32_fixed()
                    .newHasher()
                    .putLong(source)
                    .putLong(entry.item().epoch())
                    .putLong(entry.item().tally().spent())
                    .putLong(entry.item().tally().returned())
                    .hash()
                    .asInt();
            fingerprint = known;
        }
        return known;
    }

    /** Whether something says more of the same. */
    boolean isOlderThan(ConsumptionNews.Item other) {
        return other.compareWith(entry.item().epoch(), entry.item().tally()) > 0;
    }

    /** It has grown, and nobody has been told. */
    void grow(PeerNews.Entry grown, long nowNanos) {
        entry = grown;
        fingerprint = null;
        nanos = nowNanos;
        told = 0;
    }

    /** How often it was told, or was known already where it came to. */
    int told() {
        return told;
    }

    void countTold(int times) {
        told += times;
    }

    boolean isQuietFor(long forNanos, long now) {
        return now - nanos >= forNanos;
    }
}
