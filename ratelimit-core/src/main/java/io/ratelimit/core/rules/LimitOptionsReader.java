package io.ratelimit.core.rules;

import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Reads how a limit departs from the plain form of its algorithm. */
final class LimitOptionsReader {

    static final List<String> FIELDS = List.of(
            "refill", "align", "zone", "precision", "minInterval", "chargeRefused", "penalty", "warmUp", "adaptive");

    private static final Words<Refill> REFILLS =
            new Words<>(Words.ordered("greedy", Refill.GREEDY, "interval", Refill.INTERVAL), Set.of());
    private static final Words<Boolean> CLOCK_ALIGNMENTS =
            new Words<>(Words.ordered("client", false, "clock", true), Set.of());
    private static final int MOST_PRECISE = 1_000;
    private static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");

    private final DurationGrammar durations = new DurationGrammar();

    /** Reads the options; those that cannot be read are as in the plain form. */
    LimitOptions read(Fields fields) {
        return LimitOptions.NONE
                .withRefill(fields.get("refill")
                        .flatMap(field -> field.word(REFILLS))
                        .orElse(Refill.GREEDY))
                .withAlignment(alignment(fields))
                .withPrecision((int) number(fields, "precision", MOST_PRECISE))
                .withMinInterval(duration(fields, "minInterval", "a duration such as 100ms"))
                .withChargeRefused(flag(fields, "chargeRefused"))
                .withPenalty(fields.get("penalty").flatMap(this::penalty).orElse(null))
                .withWarmUp(duration(fields, "warmUp", "a duration such as 30s"))
                .withAdaptive(flag(fields, "adaptive"));
    }

    private static Alignment alignment(Fields fields) {
        boolean clock = fields.get("align")
                .flatMap(field -> field.word(CLOCK_ALIGNMENTS))
                .orElse(false);
        Optional<Cursor> zone = fields.get("zone");
        if (!clock) {
            zone.ifPresent(field -> field.problem("a zone says when windows begin that are aligned to the clock; write"
                    + " align: clock beside it, or leave it out"));
            return new Alignment.Client();
        }
        return new Alignment.Clock(zone.flatMap(LimitOptionsReader::zone).orElse(DEFAULT_ZONE));
    }

    private static Optional<ZoneId> zone(Cursor cursor) {
        return cursor.parsed("a time zone such as Europe/Berlin", text -> {
            if (!ZoneId.getAvailableZoneIds().contains(text)) {
                throw new IllegalArgumentException(Printable.quoted(text) + " is no time zone"
                        + NearestWord.hint(text, ZoneId.getAvailableZoneIds())
                        + "; write one as the IANA database names it, such as Europe/Berlin or UTC");
            }
            return ZoneId.of(text);
        });
    }

    private Optional<Penalty> penalty(Cursor cursor) {
        return Fields.open(cursor, List.of("after", "for"), Set.of()).flatMap(fields -> {
            OptionalLong after = fields.required("after", "a number of refusals, such as after: 3")
                    .map(field -> field.wholeNumber(1, Integer.MAX_VALUE))
                    .orElse(OptionalLong.empty());
            Optional<Duration> length = fields.required("for", "a duration, such as for: 10m")
                    .flatMap(field -> positive(field, "a duration such as 10m"));
            return after.isPresent()
                    ? length.map(value -> new Penalty((int) after.getAsLong(), value))
                    : Optional.empty();
        });
    }

    private Duration duration(Fields fields, String name, String wanted) {
        return fields.get(name).flatMap(field -> positive(field, wanted)).orElse(Duration.ZERO);
    }

    private Optional<Duration> positive(Cursor cursor, String wanted) {
        return cursor.anyScalar(wanted).flatMap(text -> cursor.attempt(() -> positive(text, wanted)));
    }

    private Duration positive(String text, String wanted) {
        Duration duration = durations.parse(text);
        if (duration.isZero()) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is no time; give " + wanted + ", or leave the field out");
        }
        return duration;
    }

    private static long number(Fields fields, String name, long most) {
        return fields.get(name)
                .map(field -> field.wholeNumber(1, most).orElse(1))
                .orElse(1L);
    }

    private static boolean flag(Fields fields, String name) {
        return fields.get(name).flatMap(LimitOptionsReader::flag).orElse(false);
    }

    private static Optional<Boolean> flag(Cursor cursor) {
        if (cursor.node() instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.BOOLEAN) {
            return Optional.of(Boolean.parseBoolean(scalar.text()));
        }
        cursor.problem(cursor.described() + " stands where true or false is due, without quotes");
        return Optional.empty();
    }
}
