package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.util.function.LongSupplier;

/** What the hosts of one service tell. Thread-safe. */
public final class ServiceTraffic {

    private final TimeSource timeSource;
    private final Fleet fleet;
    private final Activity activity;
    private final Recording recording;

    /**
     * Begins without a word from any host.
     *
     * @param timeSource the clocks of this service
     * @param mostBytesOfRequests how much memory single requests may take, which may change
     * @param memory where memory for hosts and counts comes from
     */
    ServiceTraffic(TimeSource timeSource, LongSupplier mostBytesOfRequests, SharedMemory memory) {
        this.timeSource = timeSource;
        this.fleet = new Fleet(timeSource, memory);
        this.activity = new Activity(timeSource, memory);
        this.recording = new Recording(timeSource, mostBytesOfRequests);
    }

    /**
     * Takes in what a host reports, put right by this service's clock.
     *
     * @param report the report as it was read, just arrived
     */
    public void take(HostReport report) {
        HostReport told = report.inTimeOf(timeSource.currentTimeMillis());
        fleet.reported(told);
        activity.add(told);
        recording.add(told);
    }

    void forgetOld() {
        fleet.forgetOld();
        activity.forgetOld();
        recording.forgetOld();
    }

    boolean isEmpty() {
        return fleet.isEmpty() && activity.isEmpty() && recording.isEmpty();
    }

    /** Gives the memory back; what is told from now on is not kept. */
    void close() {
        fleet.close();
        activity.close();
    }

    /**
     * Which hosts run which rules.
     *
     * @return the hosts of the service
     */
    public Fleet fleet() {
        return fleet;
    }

    /**
     * What rules have decided.
     *
     * @return the counts of the service
     */
    public Activity activity() {
        return activity;
    }

    /**
     * Single requests.
     *
     * @return the recording of the service
     */
    public Recording recording() {
        return recording;
    }
}
