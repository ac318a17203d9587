package io.ratelimit.core.watch;

import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tells of refusals to whoever looks at them. Throws nothing. Thread-safe. */
public final class Refusals {

    private final RefusalWatch log;
    private final RefusalWatch recording;

    Refusals(RefusalWatch log, RefusalWatch recording) {
        this.log = log;
        this.recording = recording;
    }

    /**
     * Nobody looks.
     *
     * @return refusals that nobody hears of
     */
    public static Refusals unwatched() {
        return new Refusals(new Unwatched(), new Unwatched());
    }

    /**
     * Looked at by the log and by the flight recorder.
     *
     * @param linesPerSecond how many refusals the log has a line for in a second, at most; 0 for none
     * @param timer tells the log when a second is over
     * @return the refusals
     */
    public static Refusals watched(int linesPerSecond, ScheduledExecutorService timer) {
        RefusalWatch log = linesPerSecond == 0
                ? new Unwatched()
                : new RefusalLog(linesPerSecond, task -> timer.schedule(task, 1, TimeUnit.SECONDS));
        return new Refusals(log, FlightRecording.isThere() ? new RefusalRecording() : new Unwatched());
    }

    /**
     * Tells of a refusal.
     *
     * @param request describes it; only asked where somebody wants to hear of it
     */
    public void tell(Supplier<WatchedRefusal> request) {
        try {
            boolean logged = log.wantsNext();
            boolean recorded = recording.wantsNext();
            if (!logged && !recorded) {
                return;
            }
            WatchedRefusal refused = request.get();
            if (logged) {
                log.refused(refused);
            }
            if (recorded) {
                recording.refused(refused);
            }
        } catch (Throwable e) {
            // A request that cannot be read, or a log that cannot be written: what was decided stands.
        }
    }

    private static final class Unwatched implements RefusalWatch {

        @Override
        public boolean wantsNext() {
            return false;
        }

        @Override
        public void refused(WatchedRefusal request) {}
    }
}
