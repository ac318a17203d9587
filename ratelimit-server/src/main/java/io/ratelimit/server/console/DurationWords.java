package io.ratelimit.server.console;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says in plain words how long something is. Immutable and thread-safe. */
final class DurationWords {

    private enum Unit {
        DAY(86_400_000_000_000L),
        HOUR(3_600_000_000_000L),
        MINUTE(60_000_000_000L),
        SECOND(1_000_000_000L),
        MILLISECOND(1_000_000L);

        private final long nanos;

        Unit(long nanos) {
            this.nanos = nanos;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Such as {@code 15 minutes} or {@code 1 second}. */
    String of(Duration duration) {
        long nanos = duration.toNanos();
        for (Unit unit : Unit.values()) {
            if (nanos % unit.nanos == 0) {
                long count = nanos / unit.nanos;
                return count + " " + unit.word() + (count == 1 ? "" : "s");
            }
        }
        return duration.toString();
    }

    /** A time to wait, rounded up to whole seconds from a second on, such as {@code 2 minutes 22 seconds}. */
    String wait(Duration wait) {
        Unit least = wait.toNanos() < Unit.SECOND.nanos ? Unit.MILLISECOND : Unit.SECOND;
        long left = (wait.toNanos() + least.nanos - 1) / least.nanos * least.nanos;
        List<String> words = new ArrayList<>();
        for (Unit unit : Unit.values()) {
            long count = left / unit.nanos;
            left %= unit.nanos;
            if (count > 0) {
                words.add(Counted.of(count, unit.word()));
            }
        }
        return words.isEmpty() ? "0 seconds" : String.join(" ", words);
    }

    /** What stands behind "per", such as {@code 15 minutes} or {@code second}. */
    String per(Duration period) {
        String words = of(period);
        return words.startsWith("1 ") ? words.substring(2) : words;
    }
}
