package io.ratelimit.core.explain;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/** Writes a wait for people, rounded up to whole milliseconds. */
final class WaitText {

    private static final int NANO_DIGITS = 9;
    private static final int MILLI_DIGITS = 3;

    private WaitText() {}

    static String of(Duration wait) {
        BigDecimal seconds = BigDecimal.valueOf(wait.getSeconds())
                .add(BigDecimal.valueOf(wait.getNano(), NANO_DIGITS))
                .setScale(MILLI_DIGITS, RoundingMode.CEILING);
        return seconds.stripTrailingZeros().toPlainString() + "s";
    }
}
