package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.TemporalAdjusters;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;

/** Limits aligned to the calendar, against the dates that java.time names for each charge. */
class CalendarPropertiesTest {

    private static final long TOKENS = 1_000;
    private static final long YEAR_2000 = 946_684_800_000L;
    private static final long YEAR_2090 = 3_786_912_000_000L;

    /** How the clock moves, in thousandths of the period; and a cost. */
    record Step(long part, long cost) {}

    private record Charge(LocalDate window, long cost) {}

    @Property(tries = 500)
    void aFixedWindowCountsWhatTheSameDatesSpent(
            @ForAll("periods") Duration period,
            @ForAll("zones") ZoneId zone,
            @ForAll @LongRange(min = YEAR_2000, max = YEAR_2090) long start,
            @ForAll("steps") List<Step> steps) {
        IntervalBucket bucket = IntervalBucket.of(limit(Algorithm.FIXED_WINDOW, period, zone));
        List<Charge> charges = new ArrayList<>();
        long millis = start;
        long[] state = bucket.full(at(millis));
        for (Step step : steps) {
            millis += period.toMillis() / 1_000 * step.part;
            LocalDate window = window(millis, period, zone);
            long used = sum(charges, window);
            long wait = bucket.waitNanos(state, at(millis), step.cost);
            assertThat(wait == 0).isEqualTo(step.cost == 0 || used + step.cost <= TOKENS);
            if (wait == 0 && step.cost > 0) {
                state = bucket.spend(state, at(millis), step.cost);
                charges.add(new Charge(window, step.cost));
            } else if (wait > 0) {
                waitsExactly(bucket, state, millis, step.cost, wait);
                assertThat(window(millis + wait / 1_000_000, period, zone)).isAfter(window);
                assertThat(window(millis + wait / 1_000_000 - 1, period, zone)).isEqualTo(window);
            }
            assertThat(bucket.remaining(state, at(millis))).isEqualTo(TOKENS - sum(charges, window));
        }
    }

    @Property(tries = 500)
    void aSlidingCounterWeighsTheDatesBefore(
            @ForAll("periods") Duration period,
            @ForAll("zones") ZoneId zone,
            @ForAll @LongRange(min = YEAR_2000, max = YEAR_2090) long start,
            @ForAll("steps") List<Step> steps) {
        SlidingWindowCounter counter = SlidingWindowCounter.of(limit(Algorithm.SLIDING_WINDOW_COUNTER, period, zone));
        List<Charge> charges = new ArrayList<>();
        long millis = start;
        long[] state = counter.full(at(millis));
        for (Step step : steps) {
            millis += period.toMillis() / 1_000 * step.part;
            LocalDate window = window(millis, period, zone);
            long wait = counter.waitNanos(state, at(millis), step.cost);
            assertThat(wait == 0).isEqualTo(step.cost == 0 || step.cost <= left(charges, millis, period, zone));
            if (wait == 0 && step.cost > 0) {
                state = counter.spend(state, at(millis), step.cost);
                charges.add(new Charge(window, step.cost));
            } else if (wait > 0) {
                waitsExactly(counter, state, millis, step.cost, wait);
            }
            assertThat(counter.remaining(state, at(millis))).isEqualTo(left(charges, millis, period, zone));
        }
    }

    @Property(tries = 500)
    void whereverTheWallClockStepsNobodyLosesOrWinsMoreThanOneWindow(
            @ForAll("zones") ZoneId zone,
            @ForAll @LongRange(min = YEAR_2000, max = YEAR_2090) long before,
            @ForAll @LongRange(min = YEAR_2000, max = YEAR_2090) long after,
            @ForAll @LongRange(max = TOKENS) long used) {
        IntervalBucket bucket = IntervalBucket.of(limit(Algorithm.FIXED_WINDOW, Duration.ofDays(1), zone));
        long[] state = bucket.ofUsed(used, at(before));
        assertThat(bucket.remaining(state, at(after))).isBetween(TOKENS - used, TOKENS);
        if (after < before) {
            assertThat(bucket.remaining(state, at(after))).isEqualTo(TOKENS - used);
        }
        assertThat(Duration.ofNanos(bucket.fullNanos(state, at(after))))
                .isLessThanOrEqualTo(Duration.ofHours(25).plusSeconds(1));
    }

    @Provide
    Arbitrary<Duration> periods() {
        return Arbitraries.of(1, 7, 30, 365).map(Duration::ofDays);
    }

    @Provide
    Arbitrary<ZoneId> zones() {
        return Arbitraries.of("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata")
                .map(ZoneId::of);
    }

    @Provide
    Arbitrary<List<Step>> steps() {
        Arbitrary<Long> parts = Arbitraries.oneOf(
                Arbitraries.just(0L),
                Arbitraries.longs().between(0, 300),
                Arbitraries.longs().between(0, 2_500));
        Arbitrary<Long> costs = Arbitraries.oneOf(
                Arbitraries.longs().between(0, 20), Arbitraries.longs().between(0, TOKENS));
        return Combinators.combine(parts, costs).as(Step::new).list().ofMaxSize(20);
    }

    private static void waitsExactly(LimitAlgorithm algorithm, long[] state, long millis, long cost, long wait) {
        assertThat(wait % 1_000_000).isZero();
        assertThat(algorithm.admits(state, at(millis + wait / 1_000_000), cost)).isTrue();
        assertThat(algorithm.admits(state, at(millis + wait / 1_000_000 - 1), cost))
                .isFalse();
    }

    private static long left(List<Charge> charges, long millis, Duration period, ZoneId zone) {
        LocalDate window = window(millis, period, zone);
        long begin = begin(window, zone);
        LocalDate earlier = window(begin - 1, period, zone);
        long length = begin(next(window, period), zone) - begin;
        BigInteger weighted =
                BigInteger.valueOf(sum(charges, earlier)).multiply(BigInteger.valueOf(length - (millis - begin)));
        BigInteger all = weighted.add(BigInteger.valueOf(sum(charges, window)).multiply(BigInteger.valueOf(length)));
        return BigInteger.valueOf(TOKENS * length)
                .subtract(all)
                .divide(BigInteger.valueOf(length))
                .longValueExact();
    }

    private static long sum(List<Charge> charges, LocalDate window) {
        return charges.stream()
                .filter(charge -> charge.window.equals(window))
                .mapToLong(Charge::cost)
                .sum();
    }

    /** The first date of the window at a time. */
    private static LocalDate window(long millis, Duration period, ZoneId zone) {
        LocalDate date = Instant.ofEpochMilli(millis).atZone(zone).toLocalDate();
        return switch ((int) period.toDays()) {
            case 1 -> date;
            case 7 -> date.minusDays(date.getDayOfWeek().getValue() - 1);
            case 30 -> date.withDayOfMonth(1);
            default -> date.withDayOfYear(1);
        };
    }

    private static LocalDate next(LocalDate window, Duration period) {
        return switch ((int) period.toDays()) {
            case 1 -> window.plusDays(1);
            case 7 -> window.plusWeeks(1);
            case 30 -> window.plusMonths(1);
            default -> window.with(TemporalAdjusters.firstDayOfNextYear());
        };
    }

    private static long begin(LocalDate date, ZoneId zone) {
        return date.atStartOfDay(zone).toInstant().toEpochMilli();
    }

    private static Moment at(long millis) {
        return new Moment(0, millis);
    }

    private static Limit limit(Algorithm algorithm, Duration period, ZoneId zone) {
        LimitOptions options = LimitOptions.NONE.withAlignment(new Alignment.Clock(zone));
        return new Limit(TOKENS, period, TOKENS, algorithm, options);
    }
}
