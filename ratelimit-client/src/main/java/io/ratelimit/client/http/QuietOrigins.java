package io.ratelimit.client.http;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The servers that want to be left alone, and until when. Thread-safe. */
final class QuietOrigins {

    /** A caller of more servers than that holds calls to some of them back only. */
    private static final int MOST_ORIGINS = 1_000;

    /** Some servers name a date such as the end of the year 9999, which is more than a long has nanoseconds. */
    private static final Duration LONGEST = Duration.ofDays(365);

    /** What a server has answered, and when it may be asked again, by {@link System#nanoTime}. */
    private record Refusal(int status, long untilNanos) {

        Duration left() {
            return Duration.ofNanos(untilNanos - System.nanoTime());
        }
    }

    /**
     * A server's wish.
     *
     * @param status what it has answered
     * @param left how long it is still to be left alone, more than 0
     */
    record Quiet(int status, Duration left) {}

    private final ConcurrentMap<String, Refusal> refusals = new ConcurrentHashMap<>();

    /** A server has said how long it wants to be left alone. A shorter time does not end a longer one, and a year is enough. */
    void refused(URI uri, int status, Duration stated) {
        refusals.values().removeIf(refusal -> refusal.left().isNegative());
        String origin = origin(uri);
        if (refusals.size() < MOST_ORIGINS || refusals.containsKey(origin)) {
            Duration wait = stated.compareTo(LONGEST) < 0 ? stated : LONGEST;
            Refusal refusal = new Refusal(status, System.nanoTime() + wait.toNanos());
            refusals.merge(origin, refusal, (before, now) -> before.left().compareTo(now.left()) < 0 ? now : before);
        }
    }

    /** Whether a server wants to be left alone. */
    Optional<Quiet> of(URI uri) {
        return Optional.ofNullable(refusals.get(origin(uri)))
                .map(refusal -> new Quiet(refusal.status(), refusal.left()))
                .filter(quiet -> !quiet.left().isNegative() && !quiet.left().isZero());
    }

    private static String origin(URI uri) {
        return uri.getScheme() + "://" + uri.getAuthority();
    }
}
