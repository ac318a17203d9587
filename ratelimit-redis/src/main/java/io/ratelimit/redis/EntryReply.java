package io.ratelimit.redis;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Script#DECIDE} and {@link Script#SWAP} answer.
 *
 * @param micros the time
 * @param entry the entry as it was
 * @param made whether the script has done what it was asked for
 * @param immortal whether the entry is still there without an expiry
 */
record EntryReply(long micros, StoredEntry entry, boolean made, boolean immortal) {

    private static final int FIELDS = 3;
    private static final long MADE = 1;
    private static final long MADE_BUT_IMMORTAL = 2;
    private static final long NOT_MADE_AND_IMMORTAL = 3;

    static EntryReply of(@Nullable Object reply) {
        if (reply instanceof List<?> fields
                && fields.size() == FIELDS
                && fields.get(0) instanceof Long micros
                && fields.get(2) instanceof Long code) {
            byte[] value = fields.get(1) instanceof byte[] bytes ? bytes : null;
            return new EntryReply(
                    micros,
                    new StoredEntry(value),
                    code == MADE || code == MADE_BUT_IMMORTAL,
                    code == MADE_BUT_IMMORTAL || code == NOT_MADE_AND_IMMORTAL);
        }
        throw new IllegalArgumentException("a script answers with three fields, not with " + reply);
    }
}
