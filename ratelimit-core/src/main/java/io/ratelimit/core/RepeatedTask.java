package io.ratelimit.core;

/** A task of an executor that would silently never run it again once it has thrown. Throws nothing. */
final class RepeatedTask implements Runnable {

    private final String failure;
    private final Runnable task;
    private final FaultLog faults;

    /**
     * Guards a task.
     *
     * @param failure what it means that the task fails, as a sentence without its full stop
     */
    RepeatedTask(String failure, Runnable task, FaultLog faults) {
        this.failure = failure;
        this.task = task;
        this.faults = faults;
    }

    @Override
    public void run() {
        try {
            task.run();
        } catch (Throwable e) {
            faults.report(failure, e);
        }
    }
}
