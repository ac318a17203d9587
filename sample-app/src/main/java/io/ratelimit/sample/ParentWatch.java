package io.ratelimit.sample;

import java.util.concurrent.TimeUnit;

/** Ends this process when the one that started it is gone: Maven does not pass a SIGTERM on to its children. */
final class ParentWatch extends Thread {

    private static final long MILLIS_BETWEEN_LOOKS = 500;

    private final ProcessHandle parent;

    private ParentWatch(ProcessHandle parent) {
        super("parent-watch");
        this.parent = parent;
        setDaemon(true);
    }

    static void begin() {
        ProcessHandle.current().parent().ifPresent(parent -> new ParentWatch(parent).start());
    }

    @Override
    @SuppressWarnings("SystemExitOutsideMain")
    public void run() {
        try {
            while (parent.isAlive()) {
                TimeUnit.MILLISECONDS.sleep(MILLIS_BETWEEN_LOOKS);
            }
            System.exit(0);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
