package io.ratelimit.core.bucket;

import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.core.algorithm.Moment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * Buckets of some hundred clients under one spec, in one array: open addressing with linear probing. A slot is a client's
 * fingerprint, 0 where the slot is free, and the words of his states. There is no object for a client, and nothing for
 * the garbage collector to follow.
 *
 * <p>A slot that is taken stays its client's until other segments take this one's place, without the buckets that are
 * full by then. So whoever found a client's slot can change the state by a compare-and-set, however late: it fails once
 * the state lives elsewhere. Slots are taken, and segments replaced, under the segment's monitor. A replaced segment
 * leaves its slots locked for ever, and whoever meets a locked slot looks the client up again.
 *
 * <p>The lock of a slot is the lowest bit of one of its words: of the state where that is {@linkplain SlotLayout one
 * word}, of the fingerprint elsewhere. Who holds one slot's lock may wait for another's, in the order of
 * {@link BucketKey}; so a thread that locks all slots of a segment gives them back where one is held.
 */
final class BucketSegment {

    /** What {@link #find} answers where a client has no slot. */
    static final int NONE = -1;

    private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);
    private static final long LOCK = 1;

    /** Above so many buckets that are not full, two segments take the place of one. */
    private static final int MOST_BUCKETS = 512;

    private static final int FEWEST_SLOTS = 4;
    private static final int DEEPEST = 30;
    private static final int SPINS_PER_SLOT = 100;

    private final CompiledSpec spec;
    private final SlotLayout layout;
    private final long prefix;
    private final int depth;
    private final int slots;
    private final int stride;
    private final int lockOffset;
    private final long[] words;

    /** The states that do not live in the slots. */
    private final long[][][] outside;

    /** Slots that are taken; under the monitor. */
    private int taken;

    /** Under the monitor. */
    private boolean replaced;

    private BucketSegment(CompiledSpec spec, long prefix, int depth, int buckets) {
        this.spec = spec;
        this.layout = spec.layout();
        this.prefix = prefix;
        this.depth = depth;
        // 65 % are taken at first, and 80 % at last: see hasRoom.
        this.slots = FEWEST_SLOTS + (int) (buckets * 20L / 13);
        this.stride = layout.stride();
        this.lockOffset = layout.isBare() ? 1 : 0;
        this.words = new long[slots * stride];
        this.outside = layout.isOutside() ? new long[slots][][] : new long[0][][];
    }

    /** A segment for all clients, without buckets. */
    static BucketSegment first(CompiledSpec spec) {
        return new BucketSegment(spec, 0, 0, 0);
    }

    /** What the buckets count by. */
    CompiledSpec spec() {
        return spec;
    }

    /** The leading bits of all fingerprints of this segment, followed by zeros. */
    long prefix() {
        return prefix;
    }

    /** The number of leading bits. */
    int depth() {
        return depth;
    }

    /** Takes no more buckets; of a segment that has none, under the monitor. */
    void retire() {
        replaced = true;
    }

    /** How many buckets there are, full ones included; under the monitor. */
    int size() {
        return taken;
    }

    /** Whether others have taken this segment's place; under the monitor. */
    boolean isReplaced() {
        return replaced;
    }

    /**
     * Looks a client up.
     *
     * @param fingerprint the fingerprint
     * @return where the client's slot begins, or {@link #NONE}
     */
    int find(long fingerprint) {
        int slot = home(fingerprint);
        for (int i = 0; i < slots; i++) {
            int at = slot * stride;
            long found = (long) WORD.getAcquire(words, at);
            if ((found & ~LOCK) == fingerprint) {
                return at;
            }
            if (found == 0) {
                return NONE;
            }
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
        return NONE;
    }

    /** Spread by bits that do not choose the segment. */
    private int home(long fingerprint) {
        return (int) (((fingerprint & 0xffff_ffffL) * slots) >>> 32);
    }

    /** The word that a bare state shares with the lock. */
    long word(int at) {
        return (long) WORD.getVolatile(words, at + lockOffset);
    }

    static boolean isLocked(long word) {
        return (word & LOCK) != 0;
    }

    static long stateOf(long word) {
        return word >> 1;
    }

    /** Replaces a bare state, if it is still the one that was read. */
    boolean replace(int at, long read, long state) {
        return WORD.compareAndSet(words, at + lockOffset, read, state << 1);
    }

    /** Locks a slot, if nobody holds it; to be unlocked soon. */
    boolean tryLock(int at) {
        long read = word(at);
        return !isLocked(read) && WORD.compareAndSet(words, at + lockOffset, read, read | LOCK);
    }

    /**
     * Whether limits that refill evenly refuse a cost, which can be seen without a lock: each state is one word, and one
     * limit that refuses is enough.
     *
     * @param nanos the time, or an earlier one
     * @param clock tells the time again before anything is refused
     * @return false also where somebody holds the slot
     */
    boolean refuses(int at, EvenRates rates, long nanos, StoreClock clock, long cost) {
        long fingerprint = word(at);
        if (isLocked(fingerprint)) {
            return false;
        }
        for (int i = 0; i < rates.count(); i++) {
            long state = (long) WORD.getAcquire(words, at + 1 + i);
            CellRate rate = rates.rate(i);
            // By a time after the state, too: what others spent since the earlier one would look like more than it is.
            if (!rate.admits(state, nanos, cost) && !rate.admits(state, clock.nanos(), cost)) {
                // Still unlocked: the segment has not been replaced, so that this is how the client stands.
                return word(at) == fingerprint;
            }
        }
        return false;
    }

    /** Whether limits that refill evenly admit a cost; of a slot that is locked, with several states. */
    boolean admits(int at, EvenRates rates, long nanos, long cost) {
        return rates.admits(words, at + 1, nanos, cost);
    }

    /** Spends a cost that is admitted; of a slot that is locked, with several states. */
    void spend(int at, EvenRates rates, long nanos, long cost) {
        rates.spend(words, at + 1, nanos, cost);
    }

    /** Copies the states of a slot that is locked, one word each. */
    void copyStates(int at, long[] into) {
        System.arraycopy(words, at + 1, into, 0, into.length);
    }

    /** The states of a slot that is locked; not to be written to. */
    long[][] states(int at) {
        return layout.isOutside() ? outside[at / stride] : layout.read(words, at);
    }

    /** Leaves the states as they are. */
    void unlock(int at) {
        WORD.setRelease(words, at + lockOffset, words[at + lockOffset] & ~LOCK);
    }

    /** Takes new states, then unlocks. */
    void unlock(int at, long[][] states) {
        if (layout.isBare()) {
            WORD.setRelease(words, at + lockOffset, states[0][0] << 1);
        } else {
            write(at, states);
            unlock(at);
        }
    }

    private void write(int at, long[][] states) {
        if (layout.isOutside()) {
            outside[at / stride] = states;
        } else {
            layout.write(words, at, states);
        }
    }

    /** Whether another slot may be taken before searches grow long; under the monitor. */
    boolean hasRoom() {
        return taken * 5L < slots * 4L;
    }

    /** Takes a slot for a client who has none; under the monitor. */
    void take(long fingerprint, long[][] states) {
        int at = free(fingerprint);
        if (layout.isBare()) {
            words[at + lockOffset] = states[0][0] << 1;
        } else {
            write(at, states);
        }
        taken++;
        WORD.setRelease(words, at, fingerprint);
    }

    /** Takes a slot for a client of another segment of the same spec, which he leaves. */
    private void takeFrom(BucketSegment other, int from) {
        long fingerprint = other.words[from] & ~LOCK;
        int at = free(fingerprint);
        System.arraycopy(other.words, from, words, at, stride);
        words[at] = fingerprint;
        words[at + lockOffset] &= ~LOCK;
        if (layout.isOutside()) {
            outside[at / stride] = other.states(from);
        }
        taken++;
    }

    private int free(long fingerprint) {
        int slot = home(fingerprint);
        while (words[slot * stride] != 0) {
            slot = slot + 1 == slots ? 0 : slot + 1;
        }
        return slot * stride;
    }

    /** Brings states up to date that time leaves behind, and says whether a bucket is full; under the monitor. */
    boolean refresh(Moment now) {
        boolean anyFull = false;
        for (int at = 0; at < words.length; at += stride) {
            if (words[at] == 0) {
                continue;
            }
            if (layout.isBare()) {
                anyFull |= isFull(at, now);
            } else if (tryLock(at)) {
                anyFull |= refresh(at, now);
            }
        }
        return anyFull;
    }

    /** Brings the states of a slot up to date, which is locked before and is not afterwards. */
    private boolean refresh(int at, Moment now) {
        boolean unlocked = false;
        try {
            long[][] states = states(at);
            boolean isFull = spec.isFull(states, now);
            unlock(at, spec.refresh(states, now, now));
            unlocked = true;
            return isFull;
        } finally {
            if (!unlocked) {
                unlock(at);
            }
        }
    }

    /**
     * What takes this segment's place: one segment, or two that each have the clients of one more leading bit. Under the
     * monitor; afterwards all slots are locked for ever.
     *
     * @param next what is to be counted by
     * @param keepsFull whether buckets that are full are kept as well; otherwise they are forgotten
     * @param now the time
     * @return the segments, that of the lower fingerprints first
     */
    List<BucketSegment> replaced(CompiledSpec next, boolean keepsFull, Moment now) {
        lockAll();
        replaced = true;
        boolean made = false;
        try {
            List<BucketSegment> successors = successors(next, keepsFull, now);
            made = true;
            return successors;
        } finally {
            if (!made) {
                reopen();
            }
        }
    }

    /** Goes on with this segment after all. Under the monitor. */
    void reopen() {
        replaced = false;
        for (int at = 0; at < words.length; at += stride) {
            if (words[at] != 0) {
                unlock(at);
            }
        }
    }

    private List<BucketSegment> successors(CompiledSpec next, boolean keepsFull, Moment now) {
        int kept = 0;
        int upper = 0;
        boolean[] left = new boolean[slots];
        for (int slot = 0; slot < slots; slot++) {
            int at = slot * stride;
            left[slot] = words[at] == 0 || (!keepsFull && isFull(at, now));
            if (!left[slot]) {
                kept++;
                upper += isUpper(words[at]) ? 1 : 0;
            }
        }
        boolean split = kept > MOST_BUCKETS && depth < DEEPEST;
        BucketSegment low = new BucketSegment(next, prefix, split ? depth + 1 : depth, split ? kept - upper : kept);
        BucketSegment high = split ? new BucketSegment(next, prefix | (1L << (63 - depth)), depth + 1, upper) : low;
        for (int slot = 0; slot < slots; slot++) {
            if (!left[slot]) {
                int at = slot * stride;
                BucketSegment successor = isUpper(words[at]) ? high : low;
                if (next.equals(spec)) {
                    successor.takeFrom(this, at);
                } else {
                    successor.take(words[at] & ~LOCK, next.carryOver(spec, states(at), now));
                }
            }
        }
        return split ? List.of(low, high) : List.of(low);
    }

    /** Whether the bit after the prefix is set. */
    private boolean isUpper(long fingerprint) {
        return ((fingerprint >>> (63 - depth)) & 1) != 0;
    }

    private boolean isFull(int at, Moment now) {
        EvenRates even = spec.even();
        return (even == null || even.count() > 1)
                ? spec.isFull(states(at), now)
                : even.rate(0).isFull(stateOf(word(at)), now.nanos());
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private void lockAll() {
        int at = 0;
        while (at < words.length) {
            if (words[at] == 0 || lockWithin(at, SPINS_PER_SLOT)) {
                at += stride;
            } else {
                while (at > 0) {
                    at -= stride;
                    if (words[at] != 0) {
                        unlock(at);
                    }
                }
                // Its holder may be waiting for a processor, or for a slot that was locked here.
                Thread.yield();
            }
        }
    }

    private boolean lockWithin(int at, int spins) {
        for (int i = 0; i < spins; i++) {
            if (tryLock(at)) {
                return true;
            }
            Thread.onSpinWait();
        }
        return false;
    }
}
