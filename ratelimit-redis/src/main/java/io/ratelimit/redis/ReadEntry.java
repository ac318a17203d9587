package io.ratelimit.redis;

import io.ratelimit.core.entry.ClientEntry;

/**
 * An entry as this host reads it. Immutable.
 *
 * @param entry the entry
 * @param isDamaged whether something else was there, which says nothing: the client begins anew
 * @param isAhead whether a part was written later than now, by a clock that was set back since: it refills from now on, once it
 *     is written again
 */
record ReadEntry(ClientEntry entry, boolean isDamaged, boolean isAhead) {

    static final ReadEntry NONE = new ReadEntry(ClientEntry.EMPTY, false, false);
    static final ReadEntry DAMAGED = new ReadEntry(ClientEntry.EMPTY, true, false);

    /** Whether the entry is to be written even if nothing else changes in it. */
    boolean isToBeWritten() {
        return isDamaged || isAhead;
    }
}
