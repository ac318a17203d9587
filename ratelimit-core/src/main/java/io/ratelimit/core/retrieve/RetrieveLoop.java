package io.ratelimit.core.retrieve;

/** Retrieves rules after each delay, until it is stopped. */
final class RetrieveLoop implements Runnable {

    private final RetrieveRulesTask task;
    private final PollDelays delays;
    private final Pause pause;
    private volatile boolean stopped;

    RetrieveLoop(RetrieveRulesTask task, PollDelays delays, Pause pause) {
        this.task = task;
        this.delays = delays;
        this.pause = pause;
    }

    /** Ends the loop after what it does now; an interrupt makes that short. */
    void stop() {
        stopped = true;
    }

    @Override
    public void run() {
        while (!stopped) {
            try {
                pause.sleep(delays.next(task.status().failures()));
                task.run();
            } catch (InterruptedException e) {
                // By stop(), or by somebody whose interrupt must not end the retrieval for good.
                continue;
            }
            if (!stopped) {
                Thread.interrupted();
            }
        }
    }
}
