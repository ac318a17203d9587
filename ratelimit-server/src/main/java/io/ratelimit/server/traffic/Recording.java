package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The requests of a service that its hosts have recorded lately: those of the last 15 minutes, at most
 * {@link #MOST_REQUESTS}, in at most {@link #MOST_BYTES} of memory, or less where there are many services. Where there
 * are more, the oldest go. Equal texts are kept once. Thread-safe.
 */
public final class Recording {

    /** For so long requests are kept. */
    public static final Duration KEPT = Duration.ofMinutes(15);

    /** The most requests that are kept. */
    public static final int MOST_REQUESTS = 200_000;

    /** The most memory that is used, in bytes, estimated. */
    public static final long MOST_BYTES = 96L << 20;

    /** What a host's clock may be ahead, and is not put right. */
    private static final long AHEAD_MILLIS = 5_000;

    private final TimeSource timeSource;
    private final LongSupplier mostBytes;
    private final SharedTexts texts = new SharedTexts();

    /** In the order of their arrival, which is that of time but for the seconds between two reports. */
    private final ArrayDeque<SampledRequest> requests = new ArrayDeque<>();

    private long bareBytes;

    /**
     * Begins without a request.
     *
     * @param timeSource tells how old requests are
     * @param mostBytes how much memory may be used, in bytes, below {@link #MOST_BYTES}; may change
     */
    Recording(TimeSource timeSource, LongSupplier mostBytes) {
        this.timeSource = timeSource;
        this.mostBytes = mostBytes;
    }

    /**
     * Takes over the requests of a report, but those that are too old or have not happened yet.
     *
     * @param report the report, in the time of this service
     */
    public synchronized void add(HostReport report) {
        long now = timeSource.currentTimeMillis();
        for (RecordedRequest request : report.requests()) {
            if (request.at() >= now - KEPT.toMillis() && request.at() <= now + AHEAD_MILLIS) {
                requests.addLast(new SampledRequest(request.with(texts::take), report.share()));
                bareBytes += request.bareWeight();
            }
        }
        forget(now);
    }

    synchronized boolean isEmpty() {
        return requests.isEmpty();
    }

    synchronized void forgetOld() {
        forget(timeSource.currentTimeMillis());
    }

    private void forget(long now) {
        while (!requests.isEmpty() && (isTooMuch() || isTooOld(requests.getFirst(), now))) {
            RecordedRequest oldest = requests.removeFirst().request();
            bareBytes -= oldest.bareWeight();
            oldest.texts().forEach(texts::giveBack);
        }
    }

    private boolean isTooMuch() {
        return requests.size() > MOST_REQUESTS
                || bareBytes + texts.bytes() > Math.min(MOST_BYTES, mostBytes.getAsLong());
    }

    private static boolean isTooOld(SampledRequest sampled, long now) {
        return sampled.request().at() < now - KEPT.toMillis();
    }

    /**
     * The requests in the order of their time, those of one millisecond as they came.
     *
     * @return a list of its own
     */
    public List<SampledRequest> requests() {
        long now = timeSource.currentTimeMillis();
        List<SampledRequest> copy;
        synchronized (this) {
            forget(now);
            copy = new ArrayList<>(requests);
        }
        copy.removeIf(sampled -> isTooOld(sampled, now));
        copy.sort(Comparator.comparingLong(sampled -> sampled.request().at()));
        return copy;
    }
}
