package io.ratelimit.core.bucket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The states of one client under one spec. The state of a single limit that refills evenly shares its word with a lock
 * bit and is charged by a compare-and-set; other states, and several buckets, are locked for an instant.
 *
 * <p>A bucket that was removed from its table, or continued under other limits, is retired: it stays locked for ever,
 * and whoever holds a reference to it must look it up again. So no charge is lost on it.
 */
final class Bucket {

    private static final VarHandle WORD;
    private static final int SPINS_BEFORE_YIELD = 64;
    private static final long[][] NO_STATES = {};

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(Bucket.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompiledSpec spec;

    /** The only state if it is one word, shifted left by one; the lowest bit is the lock. */
    private volatile long word;

    /** The states if they are more than one word; read and written under the lock. */
    private long[][] states;

    private volatile boolean retired;

    Bucket(CompiledSpec spec, long[][] states) {
        this.spec = spec;
        // A state that lives in the word needs no array beside it.
        this.states = spec.onlyRate() == null ? states : NO_STATES;
        write(states);
    }

    CompiledSpec spec() {
        return spec;
    }

    /**
     * The word, once nobody holds the lock.
     *
     * @return the word to hand to {@link #replace}, or a locked word if the bucket is retired
     */
    long awaitWord() {
        int spins = 0;
        long read = word;
        while (isLocked(read) && !retired) {
            pause(++spins);
            read = word;
        }
        return read;
    }

    static boolean isLocked(long word) {
        return (word & 1) != 0;
    }

    static long stateOf(long word) {
        return word >> 1;
    }

    /** Replaces the state of a bucket of one word, if it is still the one that was read. */
    boolean replace(long read, long state) {
        return WORD.compareAndSet(this, read, state << 1);
    }

    /**
     * Locks the bucket; the holder must {@link #unlock} or {@link #retire} it soon.
     *
     * @return false if the bucket is retired
     */
    boolean lock() {
        while (true) {
            long read = awaitWord();
            if (isLocked(read)) {
                return false;
            }
            if (WORD.compareAndSet(this, read, read | 1)) {
                return true;
            }
        }
    }

    /** The states, under the lock; not to be written to. */
    long[][] states() {
        return spec.onlyRate() == null ? states : new long[][] {{stateOf(word)}};
    }

    /** Leaves the states as they are. */
    void unlock() {
        WORD.setVolatile(this, word & ~1L);
    }

    /** Takes new states, then unlocks. */
    void unlock(long[][] newStates) {
        write(newStates);
    }

    /** Leaves the bucket locked for ever. */
    void retire() {
        retired = true;
    }

    private void write(long[][] newStates) {
        if (spec.onlyRate() == null) {
            states = newStates;
            word = 0;
        } else {
            word = newStates[0][0] << 1;
        }
    }

    /** Yields now and then: where threads outnumber processors, the holder may be waiting for one. */
    @SuppressWarnings("ThreadPriorityCheck")
    private static void pause(int spins) {
        if (spins % SPINS_BEFORE_YIELD == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
