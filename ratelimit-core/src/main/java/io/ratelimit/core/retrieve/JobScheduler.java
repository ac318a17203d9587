package io.ratelimit.core.retrieve;

/** Runs a job again and again until it is stopped. */
public interface JobScheduler extends AutoCloseable {

    /**
     * Runs the job once on the calling thread, then periodically on another.
     *
     * @throws IllegalStateException if the scheduler was started before
     */
    void start();

    /**
     * Ends the job and releases what it holds. Further calls do nothing. A scheduler that was stopped is not started
     * again.
     */
    void stop();

    /** The same as {@link #stop()}. */
    @Override
    default void close() {
        stop();
    }
}
