package io.ratelimit.core.retrieve;

import com.google.common.math.LongMath;
import io.ratelimit.TimeSource;
import io.ratelimit.rules.RulesDocument;
import org.jspecify.annotations.Nullable;

/**
 * Versions of a source's documents: when they were written, else one more than before. Where no time is known, or one
 * that no rules were written at, because an image was built with all its times set to the same, it is when this host
 * first saw them: then of two deployments the later is the newer one.
 */
public final class DocumentVersion {

    /** Of what has no date. */
    static final long NOT_DATED = 0;

    /** The start of 1981: what sets all times to the same takes 1970, or 1980 where archives begin. */
    private static final long EARLIEST_MILLIS = 347_155_200_000L;

    private DocumentVersion() {}

    static long next(@Nullable RulesDocument last, long writtenMillis, TimeSource time) {
        return after(last == null ? NOT_DATED : last.version(), writtenMillis, time);
    }

    /**
     * The version of what a source found changed.
     *
     * @param last the version before; 0 where there was none
     * @param writtenMillis when the content was written, in milliseconds of the epoch; 0 where nobody knows
     * @param time tells when this host first saw it
     * @return the version, greater than the one before
     */
    public static long after(long last, long writtenMillis, TimeSource time) {
        long millis = writtenMillis < EARLIEST_MILLIS ? time.currentTimeMillis() : writtenMillis;
        return Math.max(millis, LongMath.saturatedAdd(last, 1));
    }
}
