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
final class DocumentVersion {

    /** Of what has no date. */
    static final long NOT_DATED = 0;

    /** The start of 1981: what sets all times to the same takes 1970, or 1980 where archives begin. */
    private static final long EARLIEST_MILLIS = 347_155_200_000L;

    private DocumentVersion() {}

    static long next(@Nullable RulesDocument last, long writtenMillis, TimeSource time) {
        long millis = writtenMillis < EARLIEST_MILLIS ? time.currentTimeMillis() : writtenMillis;
        return last == null ? millis : Math.max(millis, LongMath.saturatedAdd(last.version(), 1));
    }
}
