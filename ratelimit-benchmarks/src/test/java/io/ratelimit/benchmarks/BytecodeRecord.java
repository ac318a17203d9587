package io.ratelimit.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.Optional;
import java.util.Properties;

/**
 * How many bytecodes the paths are known to take. A count that is far above is a path that has become dearer; one that is
 * far below is worth recording, since much could be lost again before it would be above.
 */
final class BytecodeRecord {

    static final String NAME = "decision-cost.properties";

    private static final String PLACE = "src/test/resources/io/ratelimit/benchmarks/" + NAME;
    private static final int TOLERATED_PERCENT = 15;

    private final Properties recorded;

    BytecodeRecord(Properties recorded) {
        this.recorded = recorded;
    }

    static BytecodeRecord ofThisBuild() {
        Properties recorded = new Properties();
        try (InputStream file = BytecodeRecord.class.getResourceAsStream(NAME)) {
            recorded.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new BytecodeRecord(recorded);
    }

    /** What is wrong with a count, and what to do; empty if it is about what is recorded. */
    Optional<String> complaint(GuardedPath path, long bytecodes) {
        String taken = String.format(Locale.ROOT, "%s takes %,d bytecodes", path.title(), bytecodes);
        String line = path.key() + " = " + bytecodes;
        String known = recorded.getProperty(path.key());
        if (known == null) {
            return Optional.of(taken + ", and none are recorded in " + PLACE + ". Add " + line);
        }
        long expected = Long.parseLong(known.strip());
        long hundredths = 100 * bytecodes;
        if (hundredths > (100 + TOLERATED_PERCENT) * expected) {
            return Optional.of(taken + ", " + difference(bytecodes - expected, expected, "more")
                    + ". If that is meant, record it: " + line);
        }
        if (hundredths < (100 - TOLERATED_PERCENT) * expected) {
            return Optional.of(taken + ", " + difference(expected - bytecodes, expected, "fewer")
                    + ". Record it, so that it stays so: " + line);
        }
        return Optional.empty();
    }

    private static String difference(long difference, long expected, String word) {
        return String.format(
                Locale.ROOT,
                "%d %% %s than the %,d that are recorded in %s",
                Math.round(100.0 * difference / expected),
                word,
                expected,
                PLACE);
    }
}
