package io.ratelimit.core.algorithm;

import io.ratelimit.LimitState;
import java.util.Arrays;

/**
 * An option of a limit, over whatever the limit counts with. A state is the option's own words followed by the state of
 * the inner algorithm. The first own word is a time until which the words mean something; 0, which always has passed,
 * where they mean nothing.
 *
 * <p>What is spent and refunded is the inner algorithm's; a refund leaves an option's own words alone, since the request
 * was admitted, or refused, all the same. A receipt is times of the option's own, where it needs some to take a charge
 * back, followed by the inner receipt. No option goes with limits that count requests under way.
 */
abstract class Decorator implements LimitAlgorithm {

    static final int UNTIL = 0;

    private final LimitAlgorithm inner;
    private final int ownWords;
    private final int ownReceiptWords;

    /**
     * Lies over an algorithm.
     *
     * @param ownWords how many words a state has before those of the inner algorithm
     * @param ownReceiptWords how many words a receipt has before those of the inner algorithm
     */
    Decorator(LimitAlgorithm inner, int ownWords, int ownReceiptWords) {
        this.inner = inner;
        this.ownWords = ownWords;
        this.ownReceiptWords = ownReceiptWords;
    }

    /** How long everything that costs something is refused because of the own words. */
    long holdNanos(long[] state, Moment now) {
        return 0;
    }

    /** The own words that continue those of the same option with other numbers. */
    long[] ownCarriedOver(Decorator earlier, long[] state, Moment now) {
        return state;
    }

    /** The own words of a receipt: times. */
    long[] ownReceipt(long[] before, long[] after) {
        return new long[ownReceiptWords];
    }

    /** The own words of a state as if a charge had never been made. */
    long[] ownUndone(long[] state, long[] receipt) {
        return state;
    }

    /** Those of two states' own words that let the least pass. */
    long[] ownTighter(long[] one, long[] other, Moment now) {
        return ownNanos(one, now) >= ownNanos(other, now) ? one : other;
    }

    /** How long the own words mean something. */
    final long ownNanos(long[] state, Moment now) {
        return ownWords == 0 ? 0 : Math.max(0, state[UNTIL] - now.nanos());
    }

    final LimitAlgorithm inner() {
        return inner;
    }

    final long[] innerState(long[] state) {
        return Arrays.copyOfRange(state, ownWords, state.length);
    }

    /** A state of the first words of one array and all of another. */
    final long[] join(long[] own, long[] innerState) {
        return concat(own, ownWords, innerState);
    }

    private static long[] concat(long[] own, int words, long[] inside) {
        long[] all = Arrays.copyOf(own, words + inside.length);
        System.arraycopy(inside, 0, all, words, inside.length);
        return all;
    }

    private long[] innerReceipt(long[] receipt) {
        return Arrays.copyOfRange(receipt, ownReceiptWords, receipt.length);
    }

    private long[] joinNothing(long[] innerState) {
        return join(new long[ownWords], innerState);
    }

    @Override
    public long capacity() {
        return inner.capacity();
    }

    @Override
    public boolean hasFixedState() {
        return inner.hasFixedState();
    }

    @Override
    public long[] full(Moment now) {
        return joinNothing(inner.full(now));
    }

    @Override
    public long fullNanos(long[] state, Moment now) {
        return Math.max(ownNanos(state, now), inner.fullNanos(innerState(state), now));
    }

    @Override
    public long[] refresh(long[] state, Moment written, Moment now) {
        return join(state, inner.refresh(innerState(state), written, now));
    }

    @Override
    public long waitNanos(long[] state, Moment now, long cost) {
        long wait = inner.waitNanos(innerState(state), now, cost);
        return cost == 0 || wait == LimitState.NEVER ? wait : Math.max(wait, holdNanos(state, now));
    }

    @Override
    public long[] spend(long[] state, Moment now, long cost) {
        return join(state, inner.spend(innerState(state), now, cost));
    }

    /** The own words stay as they are and hold nothing back. */
    @Override
    public LimitAlgorithm forMore() {
        return new Passive(inner.forMore(), ownWords, ownReceiptWords);
    }

    private static final class Passive extends Decorator {

        Passive(LimitAlgorithm inner, int ownWords, int ownReceiptWords) {
            super(inner, ownWords, ownReceiptWords);
        }
    }

    @Override
    public long longestTurnNanos() {
        return inner.longestTurnNanos();
    }

    @Override
    public long[] spendRefused(long[] state, Moment now, long cost) {
        return join(state, inner.spendRefused(innerState(state), now, cost));
    }

    @Override
    public long[] refuse(long[] state, Moment now, long cost) {
        long[] before = innerState(state);
        long[] after = inner.refuse(before, now, cost);
        return after == before ? state : join(state, after);
    }

    @Override
    public long[] receipt(long[] before, long[] after) {
        long[] inside = inner.receipt(innerState(before), innerState(after));
        return concat(ownReceipt(before, after), ownReceiptWords, inside);
    }

    @Override
    public long[] departReceipt(long[] receipt, Moment charged) {
        long[] departed = concat(receipt, ownReceiptWords, inner.departReceipt(innerReceipt(receipt), charged));
        for (int i = 0; i < ownReceiptWords; i++) {
            departed[i] = Math.max(0, receipt[i] - charged.nanos());
        }
        return departed;
    }

    @Override
    public long[] arriveReceipt(long[] departed, Moment charged, Moment now) {
        checkOwnWords(departed, ownReceiptWords);
        long[] inside = inner.arriveReceipt(innerReceipt(departed), charged, now);
        long[] arrived = concat(departed, ownReceiptWords, inside);
        for (int i = 0; i < ownReceiptWords; i++) {
            arrived[i] += charged.nanos();
        }
        return arrived;
    }

    @Override
    public GivenBack noted(GivenBack known, long[] receipt, long totalThen, long[] before, long[] after, Moment now) {
        return inner.noted(known, innerReceipt(receipt), totalThen, innerState(before), innerState(after), now);
    }

    @Override
    public long[] moved(long[] receipt, Moment charged, long totalThen, GivenBack known, Moment now) {
        return concat(receipt, ownReceiptWords, inner.moved(innerReceipt(receipt), charged, totalThen, known, now));
    }

    @Override
    public long place(Moment now) {
        return inner.place(now);
    }

    @Override
    public long[] refund(long[] state, Moment now, long tokens, long[] receipt) {
        return join(state, inner.refund(innerState(state), now, tokens, innerReceipt(receipt)));
    }

    @Override
    public long[] undo(long[] state, Moment now, long tokens, long[] receipt) {
        return join(ownUndone(state, receipt), inner.undo(innerState(state), now, tokens, innerReceipt(receipt)));
    }

    @Override
    public long remaining(long[] state, Moment now) {
        return holdNanos(state, now) > 0 ? 0 : inner.remaining(innerState(state), now);
    }

    @Override
    public long nextTokenNanos(long[] state, Moment now) {
        long hold = holdNanos(state, now);
        long next = inner.nextTokenNanos(innerState(state), now);
        if (hold == 0) {
            return next;
        }
        if (inner.remaining(innerState(state), now) > 0) {
            return hold;
        }
        return next == 0 ? 0 : Math.max(hold, next);
    }

    @Override
    public long[] ofUsed(long tokens, Moment now) {
        return joinNothing(inner.ofUsed(tokens, now));
    }

    /**
     * Own words continue those of the same option, wherever it stood; without such a predecessor they start anew. Options
     * that the limit no longer has are dropped.
     */
    @Override
    public long[] carryOver(LimitAlgorithm earlier, long[] state, Moment now) {
        LimitAlgorithm layer = earlier;
        long[] words = state;
        while (layer instanceof Decorator decorator) {
            long[] inside = decorator.innerState(words);
            if (decorator.getClass() == getClass()) {
                return join(ownCarriedOver(decorator, words, now), carryInner(decorator.inner, inside, now));
            }
            words = inside;
            layer = decorator.inner;
        }
        return joinNothing(carryInner(earlier, state, now));
    }

    private long[] carryInner(LimitAlgorithm earlier, long[] state, Moment now) {
        if (inner instanceof Decorator) {
            return inner.carryOver(earlier, state, now);
        }
        Undecorated before = Undecorated.of(earlier, state);
        return inner.carryOver(before.algorithm(), before.state(), now);
    }

    @Override
    public long[] depart(long[] state, Moment now) {
        long[] departed = join(state, inner.depart(innerState(state), now));
        if (ownWords > 0) {
            departed[UNTIL] = ownNanos(state, now);
        }
        return departed;
    }

    @Override
    public long[] arrive(long[] departed, Moment now) {
        checkOwnWords(departed, ownWords);
        long[] state = join(departed, inner.arrive(innerState(departed), now));
        if (ownWords > 0) {
            state[UNTIL] += now.nanos();
        }
        return state;
    }

    private static void checkOwnWords(long[] departed, int words) {
        if (departed.length < words || Arrays.stream(departed, 0, words).anyMatch(word -> word < 0)) {
            throw new IllegalArgumentException("the state of a limit's option arrives as " + words
                    + " words of at least 0 before those of its algorithm, not as " + Arrays.toString(departed));
        }
    }

    @Override
    public long[] ofSeen(LimitState seen, Moment now) {
        return joinNothing(inner.ofSeen(seen, now));
    }

    @Override
    public long[] tighter(long[] one, long[] other, Moment now) {
        return join(ownTighter(one, other, now), inner.tighter(innerState(one), innerState(other), now));
    }
}
