package io.ratelimit.core.explain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Writes a wait for people, rounded up to whole milliseconds, such as {@code 14h 48m 49.277s}. */
public final class WaitText {

    private static final int NANO_DIGITS = 9;
    private static final int MILLI_DIGITS = 3;

    private WaitText() {}

    /**
     * Writes a wait.
     *
     * @param wait the wait, at least 0
     * @return the text
     */
    public static String of(Duration wait) {
        BigDecimal all = BigDecimal.valueOf(wait.getSeconds())
                .add(BigDecimal.valueOf(wait.getNano(), NANO_DIGITS))
                .setScale(MILLI_DIGITS, RoundingMode.CEILING);
        Duration whole = Duration.ofSeconds(all.longValue());
        BigDecimal seconds = all.subtract(BigDecimal.valueOf(whole.toMinutes() * 60));
        StringBuilder text = new StringBuilder();
        append(text, whole.toDays(), "d");
        append(text, whole.toHoursPart(), "h");
        append(text, whole.toMinutesPart(), "m");
        if (text.isEmpty() || seconds.signum() > 0) {
            text.append(seconds.stripTrailingZeros().toPlainString()).append("s ");
        }
        return text.toString().strip();
    }

    private static void append(StringBuilder text, long count, String unit) {
        if (count > 0) {
            text.append(count).append(unit).append(' ');
        }
    }
}
