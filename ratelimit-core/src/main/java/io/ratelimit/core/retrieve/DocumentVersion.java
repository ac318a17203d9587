package io.ratelimit.core.retrieve;

import com.google.common.math.LongMath;
import io.ratelimit.rules.RulesDocument;
import org.jspecify.annotations.Nullable;

/** Versions of a source's documents: a time where it grows, else one more than before. */
final class DocumentVersion {

    private DocumentVersion() {}

    static long next(@Nullable RulesDocument last, long epochMillis) {
        return last == null ? epochMillis : Math.max(epochMillis, LongMath.saturatedAdd(last.version(), 1));
    }
}
