package io.ratelimit.sample;

import java.util.concurrent.TimeUnit;

/**
 * Ends the process on SIGTERM and SIGINT.
 *
 * <p>All nodes stop at the same time: members that leave together are taken out of the cluster together, while members
 * that leave one by one move their entries to the next, which is about to leave too. What stays behind in other
 * processes keeps the entries. Leaving properly waits for the others, and a frozen one could take long; so after
 * {@value #PATIENCE_MILLIS} ms the process ends anyway, and what it held is taken from the backups.
 */
final class ShutdownHook extends Thread {

    private static final long PATIENCE_MILLIS = 4000;

    /** What a shell shows for a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    private final Nodes nodes;

    ShutdownHook(Nodes nodes) {
        super("shutdown");
        this.nodes = nodes;
    }

    @Override
    public void run() {
        Thread watch = new Thread(ShutdownHook::halt, "shutdown-watch");
        watch.setDaemon(true);
        watch.start();
        try {
            nodes.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void halt() {
        try {
            TimeUnit.MILLISECONDS.sleep(PATIENCE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(TERMINATED);
    }
}
