package io.ratelimit.core.bucket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The states of one client under one spec. The first state shares its word with a lock bit: one limit is charged by a
 * single compare-and-set, several limits or several buckets are locked for an instant.
 *
 * <p>A bucket that was removed from its table, or continued under other limits, is retired: it stays locked for ever,
 * and whoever holds a reference to it must look it up again. So no charge is lost on it.
 */
final class Bucket {

    private static final VarHandle FIRST;
    private static final int SPINS_BEFORE_YIELD = 64;

    static {
        try {
            FIRST = MethodHandles.lookup().findVarHandle(Bucket.class, "first", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final CompiledSpec spec;

    /** The first limit's state, shifted left by one; the lowest bit is the lock. */
    private volatile long first;

    /** The states of the other limits; read and written under the lock. */
    private final long[] others;

    private volatile boolean retired;

    Bucket(CompiledSpec spec, long[] states) {
        this.spec = spec;
        this.others = new long[states.length - 1];
        write(states);
    }

    CompiledSpec spec() {
        return spec;
    }

    /**
     * The first state, once nobody holds the lock.
     *
     * @return the word to hand to {@link #replaceFirst}, or a locked word if the bucket is retired
     */
    long awaitWord() {
        int spins = 0;
        long word = first;
        while (isLocked(word) && !retired) {
            pause(++spins);
            word = first;
        }
        return word;
    }

    static boolean isLocked(long word) {
        return (word & 1) != 0;
    }

    static long stateOf(long word) {
        return word >> 1;
    }

    /** Replaces the only state of a bucket of one limit, if it is still the one that was read. */
    boolean replaceFirst(long word, long state) {
        return FIRST.compareAndSet(this, word, state << 1);
    }

    /**
     * Locks the bucket; the holder must {@link #unlock} or {@link #retire} it soon.
     *
     * @return false if the bucket is retired
     */
    boolean lock() {
        while (true) {
            long word = awaitWord();
            if (isLocked(word)) {
                return false;
            }
            if (FIRST.compareAndSet(this, word, word | 1)) {
                return true;
            }
        }
    }

    /** The states, under the lock. */
    long[] states() {
        long[] states = new long[others.length + 1];
        states[0] = stateOf(first);
        System.arraycopy(others, 0, states, 1, others.length);
        return states;
    }

    /** Leaves the states as they are. */
    void unlock() {
        FIRST.setVolatile(this, first & ~1L);
    }

    /** Writes new states, then unlocks. */
    void unlock(long[] states) {
        write(states);
    }

    /** Leaves the bucket locked for ever. */
    void retire() {
        retired = true;
    }

    private void write(long[] states) {
        System.arraycopy(states, 1, others, 0, others.length);
        first = states[0] << 1;
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
