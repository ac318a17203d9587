package io.ratelimit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Takes tokens of a limit inside a program: to keep calls to somebody else within what they allow, to spread the work of
 * a job. Each method spends all the tokens it is asked for, or none. What is taken stays taken: tokens come back with
 * time alone, so that a limit on what is under way ({@code concurrency}) has no permits.
 *
 * <p>The methods differ in how they wait:
 *
 * <ul>
 *   <li>{@link #tryAcquire()} and {@link #tryAcquire(long)} do not wait;
 *   <li>{@link #acquire()} and {@link #acquire(long)} hold the thread until the tokens are there, and
 *       {@link #acquire(long, Duration)} for a limited time;
 *   <li>{@link #reserve(long)} and {@link #reserve(long, Duration)} leave the waiting to the caller;
 *   <li>{@link #acquireAsync(long, Duration)} waits without a thread.
 * </ul>
 *
 * <p><b>Order.</b> {@code token-bucket} with its even refill, {@code leaky-bucket}, {@code gcra} and {@code warm-up} can
 * spend tokens that will only come: callers get their turns in the order in which they arrive, whichever method they use,
 * and a turn does not move once it is given. Windows, logs and intervals cannot: who finds too few tokens there comes back
 * after the wait that the limit tells and tries again until its time is up, and nobody is promised an order. So it is
 * where one of several limits cannot, and beyond the longest debt that a limit can count.
 *
 * <p>A refusal takes nothing. Only a limit with {@code chargeRefused} or {@code penalty} counts it, as those options say.
 *
 * <p>Implementations are safe for use by any number of threads.
 */
public interface Permits {

    /**
     * Takes one token if it is there now. Does not wait.
     *
     * @return whether it was taken
     * @throws IllegalArgumentException if there is no such limit, or none that permits can be taken from
     */
    default boolean tryAcquire() {
        return tryAcquire(1);
    }

    /**
     * Takes tokens if all are there now. Does not wait.
     *
     * @param tokens how many, at least 1
     * @return whether they were taken; false for more than the limit can hold
     * @throws IllegalArgumentException if {@code tokens} is less than 1, or there is no such limit, or none that permits
     *     can be taken from
     */
    boolean tryAcquire(long tokens);

    /**
     * Takes one token, and holds the thread until its turn.
     *
     * @throws InterruptedException if the thread is interrupted before or while it waits; the token is given back
     * @throws IllegalArgumentException if the limit never lets anything pass, or there is no such limit, or none that
     *     permits can be taken from
     */
    default void acquire() throws InterruptedException {
        acquire(1);
    }

    /**
     * Takes tokens, and holds the thread until their turn, however long that is.
     *
     * @param tokens how many, at least 1
     * @throws InterruptedException if the thread is interrupted before or while it waits; the tokens are given back
     * @throws IllegalArgumentException if {@code tokens} is less than 1 or more than the limit can ever hold, which is
     *     said at once, or if there is no such limit, or none that permits can be taken from
     */
    void acquire(long tokens) throws InterruptedException;

    /**
     * Takes tokens if their turn comes in time, and holds the thread until then.
     *
     * @param tokens how many, at least 1
     * @param timeout the longest wait, exact to the nanosecond; zero or less does not wait
     * @return true when it is the tokens' turn; false at once, without waiting and without taking any, where they cannot
     *     come in time. Under a limit without an order false may also come later, when others were quicker
     * @throws InterruptedException if the thread is interrupted before or while it waits; the tokens are given back
     * @throws IllegalArgumentException if {@code tokens} is less than 1, or there is no such limit, or none that permits
     *     can be taken from
     */
    boolean acquire(long tokens, Duration timeout) throws InterruptedException;

    /**
     * Takes tokens and says when their turn is, however far away. Does not wait.
     *
     * @param tokens how many, at least 1
     * @return the turn, never null
     * @throws IllegalArgumentException if {@code tokens} is less than 1 or more than the limit can ever hold, or there is
     *     no such limit, or none that permits can be taken from
     * @throws IllegalStateException if the tokens are not there and cannot be taken ahead of time: the limit counts in
     *     windows or by intervals, owes all that it can, or could not be asked; nothing is taken then
     */
    Reservation reserve(long tokens);

    /**
     * Takes tokens and says when their turn is, if that is soon enough. Does not wait.
     *
     * @param tokens how many, at least 1
     * @param maxWait the longest wait, exact to the nanosecond; zero or less takes only what is there
     * @return the turn; empty, with nothing taken, where the tokens cannot come in time or cannot be taken ahead of time
     * @throws IllegalArgumentException if {@code tokens} is less than 1, or there is no such limit, or none that permits
     *     can be taken from
     */
    Optional<Reservation> reserve(long tokens, Duration maxWait);

    /**
     * Takes tokens if their turn comes in time, and tells when it has come. Holds no thread meanwhile.
     *
     * <p>To cancel the future, or to complete it in any other way, gives the turn back. What depends on the future runs
     * on the common pool where there was something to wait for.
     *
     * @param tokens how many, at least 1
     * @param timeout the longest wait, exact to the nanosecond; zero or less does not wait
     * @return a future that is completed with true when it is the tokens' turn, and with false without delay, with
     *     nothing taken, where they cannot come in time; exceptionally, with an {@link IllegalArgumentException}, if the
     *     limit is no longer there when it is asked again
     * @throws IllegalArgumentException if {@code tokens} is less than 1, or there is no such limit, or none that permits
     *     can be taken from
     */
    CompletableFuture<Boolean> acquireAsync(long tokens, Duration timeout);
}
