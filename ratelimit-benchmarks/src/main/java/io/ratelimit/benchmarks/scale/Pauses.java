package io.ratelimit.benchmarks.scale;

import com.sun.management.GarbageCollectionNotificationInfo;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.openmbean.CompositeData;

/** The pauses of the garbage collector until the process ends: what a slow call may have waited for. Thread-safe. */
final class Pauses {

    private long count;
    private long longestMillis;
    private long allMillis;

    private Pauses() {}

    static Pauses fromNowOn() {
        Pauses pauses = new Pauses();
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            ((NotificationEmitter) collector)
                    .addNotificationListener((notification, handback) -> pauses.hear(notification), null, null);
        }
        return pauses;
    }

    private synchronized void hear(Notification notification) {
        if (notification.getType().equals(GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION)) {
            long millis = GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData())
                    .getGcInfo()
                    .getDuration();
            count++;
            longestMillis = Math.max(longestMillis, millis);
            allMillis += millis;
        }
    }

    synchronized Row addTo(Row row) {
        return row.with(Figure.PAUSES, count)
                .with(Figure.LONGEST_PAUSE, longestMillis)
                .with(Figure.PAUSED, allMillis);
    }
}
