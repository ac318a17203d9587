package io.ratelimit.core.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Refill;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CalendarBoundariesTest {

    @ParameterizedTest
    @CsvSource({
        // The day on which summer time begins has 23 hours, the one on which it ends 25.
        "P1D, Europe/Berlin, 2026-03-29T00:00, PT23H",
        "P1D, Europe/Berlin, 2026-10-25T00:00, PT25H",
        "P1D, Europe/Berlin, 2026-06-01T12:00, PT12H",
        // Midnight itself is skipped.
        "P1D, America/Asuncion, 2023-10-01T01:00, PT23H",
        "PT12H, Europe/Berlin, 2026-03-29T00:00, PT11H",
        "PT12H, Europe/Berlin, 2026-10-25T00:00, PT13H",
        "PT2H, Europe/Berlin, 2026-03-29T03:30, PT30M",
        "PT1H, Europe/Berlin, 2026-03-29T01:30, PT30M",
        "PT1H, Asia/Kolkata, 2026-03-29T01:10, PT50M",
        "PT15M, Australia/Lord_Howe, 2026-04-05T01:20, PT10M",
        "PT0.25S, UTC, 2026-04-05T01:20:00.1, PT0.15S",
        "P7D, Europe/Berlin, 2026-03-23T00:00, PT167H",
        "P7D, UTC, 2026-01-04T23:00, PT1H",
        "P7D, UTC, 2026-01-05T00:00, P7D",
        "P30D, UTC, 2026-02-01T00:00, P28D",
        "P30D, UTC, 2028-02-01T00:00, P29D",
        "P30D, UTC, 2026-12-31T00:00, P1D",
        "P365D, UTC, 2028-01-01T00:00, P366D",
        "P365D, UTC, 1969-12-31T00:00, P1D"
    })
    void aWindowEndsWhereTheCalendarSaysSo(Duration period, ZoneId zone, LocalDateTime local, Duration untilEnd) {
        IntervalBucket bucket = aligned(10, period, zone);
        Moment now = at(ZonedDateTime.of(local, zone));
        long[] state = bucket.spend(bucket.full(now), now, 10);
        assertThat(Duration.ofNanos(bucket.waitNanos(state, now, 1))).isEqualTo(untilEnd);
        assertThat(bucket.remaining(state, later(now, untilEnd.minusMillis(1)))).isZero();
        assertThat(bucket.remaining(state, later(now, untilEnd))).isEqualTo(10);
    }

    @Test
    void anHourThatIsRepeatedIsAWindowOfItsOwn() {
        IntervalBucket bucket = aligned(10, Duration.ofHours(1), ZoneId.of("Europe/Berlin"));
        Moment summer = at(ZonedDateTime.parse("2026-10-25T02:30+02:00[Europe/Berlin]"));
        long[] state = bucket.spend(bucket.full(summer), summer, 10);
        assertThat(bucket.remaining(state, later(summer, Duration.ofMinutes(29))))
                .isZero();
        assertThat(bucket.remaining(state, later(summer, Duration.ofMinutes(30))))
                .isEqualTo(10);
    }

    @Test
    void localTimeThatIsRepeatedBelongsToTheWindowThatItWasIn() {
        // At one past midnight clocks went back to 23:01: Sunday had begun, and goes on.
        IntervalBucket bucket = aligned(10, Duration.ofDays(1), ZoneId.of("America/St_Johns"));
        Moment sunday = at(ZonedDateTime.parse("2010-11-07T00:00-02:30[America/St_Johns]"));
        long[] state = bucket.spend(bucket.full(sunday), sunday, 10);
        Moment repeated = later(sunday, Duration.ofMinutes(30));
        // Another instance, which has not worked out Sunday yet.
        IntervalBucket other = aligned(10, Duration.ofDays(1), ZoneId.of("America/St_Johns"));
        assertThat(other.remaining(state, repeated)).isZero();
        assertThat(other.full(repeated)[0]).isEqualTo(state[0]);
        assertThat(Duration.ofNanos(other.waitNanos(state, repeated, 1)))
                .isEqualTo(Duration.ofHours(24).plusMinutes(30));
    }

    @Test
    void aBucketFillsMonthByMonth() {
        LimitOptions options =
                LimitOptions.NONE.withRefill(Refill.INTERVAL).withAlignment(new Alignment.Clock(ZoneId.of("UTC")));
        IntervalBucket bucket =
                IntervalBucket.of(new Limit(10, Duration.ofDays(30), 25, Algorithm.TOKEN_BUCKET, options));
        Moment january = at(ZonedDateTime.parse("2026-01-31T00:00Z"));
        long[] state = bucket.spend(bucket.full(january), january, 25);
        assertThat(Duration.ofNanos(bucket.waitNanos(state, january, 25))).isEqualTo(Duration.ofDays(1 + 28 + 31));
        assertThat(bucket.remaining(state, at(ZonedDateTime.parse("2026-03-01T00:00Z"))))
                .isEqualTo(20);
    }

    @Test
    void slidesOverMonthsOfDifferentLengths() {
        LimitOptions options = LimitOptions.NONE.withAlignment(new Alignment.Clock(ZoneId.of("UTC")));
        SlidingWindowCounter counter = SlidingWindowCounter.of(
                new Limit(100, Duration.ofDays(30), 100, Algorithm.SLIDING_WINDOW_COUNTER, options));
        Moment january = at(ZonedDateTime.parse("2026-01-20T00:00Z"));
        long[] state = counter.spend(counter.full(january), january, 100);
        Moment february = at(ZonedDateTime.parse("2026-02-08T00:00Z"));
        assertThat(counter.remaining(state, february)).isEqualTo(25);
        assertThat(Duration.ofNanos(counter.waitNanos(state, february, 50))).isEqualTo(Duration.ofDays(7));
        assertThat(Duration.ofNanos(counter.fullNanos(state, january))).isEqualTo(Duration.ofDays(12 + 28));
    }

    @Test
    void aWallClockStepThatGoesBackKeepsWhatWasUsedAndMakesNobodyWaitForDays() {
        IntervalBucket bucket = aligned(10, Duration.ofMinutes(1), ZoneId.of("UTC"));
        Moment now = at(ZonedDateTime.parse("2026-05-05T12:00:20Z"));
        long[] state = bucket.spend(bucket.full(now), now, 3);
        Moment back = later(now, Duration.ofDays(-2));
        for (int i = 0; i < 7; i++) {
            assertThat(bucket.admits(state, back, 1)).isTrue();
            state = bucket.spend(state, back, 1);
        }
        assertThat(Duration.ofNanos(bucket.waitNanos(state, back, 1))).isEqualTo(Duration.ofSeconds(40));
        assertThat(bucket.remaining(state, later(back, Duration.ofSeconds(40)))).isEqualTo(10);
    }

    @Test
    void aWallClockStepThatGoesForwardBeginsOneWindow() {
        IntervalBucket bucket = aligned(10, Duration.ofMinutes(1), ZoneId.of("UTC"));
        Moment now = at(ZonedDateTime.parse("2026-05-05T12:00:20Z"));
        long[] state = bucket.spend(bucket.full(now), now, 10);
        Moment forward = later(now, Duration.ofHours(1));
        assertThat(bucket.remaining(state, forward)).isEqualTo(10);
        state = bucket.spend(state, forward, 10);
        assertThat(bucket.admits(state, forward, 1)).isFalse();
    }

    @Test
    void aThreadWhoseClockLiesBehindTheBoundaryDoesNotMoveTheStateBack() {
        IntervalBucket bucket = aligned(10, Duration.ofMinutes(1), ZoneId.of("UTC"));
        Moment boundary = at(ZonedDateTime.parse("2026-05-05T12:01Z"));
        long[] state = bucket.spend(bucket.full(boundary), boundary, 4);
        Moment behind = later(boundary, Duration.ofMillis(-1_000));
        assertThat(bucket.remaining(state, behind)).isEqualTo(6);
        state = bucket.spend(state, behind, 6);
        assertThat(bucket.admits(state, boundary, 1)).isFalse();
    }

    @Test
    void aRefundReachesAChargeFromBeforeTheClockWentBack() {
        LimitOptions options = LimitOptions.NONE.withAlignment(new Alignment.Clock(ZoneId.of("UTC")));
        LimitAlgorithm[] both = {
            aligned(10, Duration.ofMinutes(1), ZoneId.of("UTC")),
            SlidingWindowCounter.of(new Limit(10, Duration.ofMinutes(1), 10, Algorithm.SLIDING_WINDOW_COUNTER, options))
        };
        for (LimitAlgorithm algorithm : both) {
            Moment now = at(ZonedDateTime.parse("2026-05-05T12:00:20Z"));
            long[] state = algorithm.spend(algorithm.full(now), now, 3);
            long[] receipt = algorithm.receipt(state, state);
            Moment back = later(now, Duration.ofDays(-2));
            state = algorithm.spend(state, back, 1);
            assertThat(algorithm.remaining(algorithm.refund(state, back, 3, receipt), back))
                    .isEqualTo(9);
        }
    }

    @Test
    void aCalendarsWindowTravelsAsItIs() {
        IntervalBucket bucket = aligned(10, Duration.ofDays(1), ZoneId.of("Europe/Berlin"));
        Moment here = new Moment(5, 1_780_000_000_000L);
        long[] state = bucket.spend(bucket.full(here), here, 4);
        Moment there = new Moment(99_999, 1_780_000_000_000L);
        assertThat(bucket.arrive(bucket.depart(state, here), there)).isEqualTo(state);
        assertThatThrownBy(() -> bucket.arrive(new long[] {Long.MAX_VALUE, 1}, there))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void windowsOfTheSameCalendarGoOnUnderAnotherLimit() {
        ZoneId berlin = ZoneId.of("Europe/Berlin");
        IntervalBucket bucket = aligned(10, Duration.ofDays(1), berlin);
        Moment now = at(ZonedDateTime.parse("2026-05-05T12:00Z"));
        long[] state = bucket.spend(bucket.full(now), now, 4);
        IntervalBucket raised = aligned(20, Duration.ofDays(1), berlin);
        assertThat(raised.carryOver(bucket, state, now)).isEqualTo(state);
        IntervalBucket elsewhere = aligned(10, Duration.ofDays(1), ZoneId.of("UTC"));
        assertThat(elsewhere.carryOver(bucket, state, now)).isEqualTo(elsewhere.ofUsed(4, now));
        IntervalBucket hourly = aligned(10, Duration.ofHours(1), berlin);
        assertThat(hourly.carryOver(bucket, state, now)).isEqualTo(hourly.ofUsed(4, now));
        Boundaries days = CalendarBoundaries.of(Duration.ofDays(1), berlin);
        assertThat(days)
                .isEqualTo(CalendarBoundaries.of(Duration.ofDays(1), berlin))
                .hasSameHashCodeAs(CalendarBoundaries.of(Duration.ofDays(1), berlin))
                .isNotEqualTo(CalendarBoundaries.of(Duration.ofHours(1), berlin))
                .isNotEqualTo(CalendarBoundaries.of(Duration.ofDays(1), ZoneId.of("UTC")))
                .isNotEqualTo(new ClientBoundaries(1))
                .doesNotHaveSameHashCodeAs(CalendarBoundaries.of(Duration.ofHours(1), berlin));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT7H", "PT0.0000005S", "PT0.0005S", "P2D", "P29D", "P366D", "P14D"})
    void saysWhichPeriodsTheCalendarKnows(Duration period) {
        assertThatThrownBy(() -> aligned(10, period, ZoneId.of("UTC")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("30d (a month)")
                .hasMessageContaining(period.toString());
    }

    private static Moment at(ZonedDateTime time) {
        return new Moment(0, time.toInstant().toEpochMilli());
    }

    private static Moment later(Moment moment, Duration time) {
        return new Moment(moment.nanos(), moment.epochMillis() + time.toMillis());
    }

    private static IntervalBucket aligned(long tokens, Duration period, ZoneId zone) {
        LimitOptions options = LimitOptions.NONE.withAlignment(new Alignment.Clock(zone));
        return IntervalBucket.of(new Limit(tokens, period, tokens, Algorithm.FIXED_WINDOW, options));
    }
}
