package io.ratelimit.core.algorithm;

import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;

/** A length of time that the calendar knows, as numbered stretches of local time. Equal ones are the same stretches. */
interface CalendarPeriod {

    /**
     * The calendar's period for a length of time.
     *
     * @param length the length
     * @return the period
     * @throws IllegalArgumentException if the calendar has none
     */
    static CalendarPeriod of(Duration length) {
        if (length.equals(Duration.ofDays(7))) {
            return Dates.WEEK;
        }
        if (length.equals(Duration.ofDays(30))) {
            return Dates.MONTH;
        }
        if (length.equals(Duration.ofDays(365))) {
            return Dates.YEAR;
        }
        boolean isWholeMillis = length.toNanos() % 1_000_000 == 0;
        if (!isWholeMillis || PartOfDay.DAY_MILLIS % length.toMillis() != 0) {
            throw new IllegalArgumentException("align: clock goes with a period that divides a day into equal parts of"
                    + " whole milliseconds (such as 1s, 15m or 1h), or with 1d, 7d (a week from Monday), 30d (a month)"
                    + " or 365d (a year), not with " + length);
        }
        return new PartOfDay(length.toMillis());
    }

    /**
     * The stretch of a local time.
     *
     * @param local the local time
     * @return its number
     */
    long indexOf(LocalDateTime local);

    /**
     * When a stretch begins.
     *
     * @param index its number
     * @return local time
     */
    LocalDateTime begin(long index);

    /**
     * Equal parts of a day, from midnight on, or the day as a whole.
     *
     * @param millis the length, which divides a day
     */
    record PartOfDay(long millis) implements CalendarPeriod {

        private static final long DAY_MILLIS = 86_400_000;

        @Override
        public long indexOf(LocalDateTime local) {
            return local.toLocalDate().toEpochDay() * (DAY_MILLIS / millis)
                    + local.getLong(ChronoField.MILLI_OF_DAY) / millis;
        }

        @Override
        public LocalDateTime begin(long index) {
            long perDay = DAY_MILLIS / millis;
            return LocalDate.ofEpochDay(Math.floorDiv(index, perDay))
                    .atStartOfDay()
                    .plus(Math.floorMod(index, perDay) * millis, ChronoUnit.MILLIS);
        }
    }

    /** Periods of whole dates. */
    enum Dates implements CalendarPeriod {
        /** From Monday on (ISO 8601). */
        WEEK {
            @Override
            long indexOf(LocalDate date) {
                return Math.floorDiv(date.toEpochDay() - MONDAY, 7);
            }

            @Override
            LocalDate firstDay(long index) {
                return LocalDate.ofEpochDay(index * 7 + MONDAY);
            }
        },
        /** From the first day of a month on. */
        MONTH {
            @Override
            long indexOf(LocalDate date) {
                return date.getLong(ChronoField.PROLEPTIC_MONTH);
            }

            @Override
            LocalDate firstDay(long index) {
                return LocalDate.EPOCH.with(ChronoField.PROLEPTIC_MONTH, index);
            }
        },
        /** From the first day of January on. */
        YEAR {
            @Override
            long indexOf(LocalDate date) {
                return date.getYear();
            }

            @Override
            LocalDate firstDay(long index) {
                return LocalDate.EPOCH.with(ChronoField.YEAR, index);
            }
        };

        /** A Monday, as a day of the epoch: 5 January 1970. */
        private static final long MONDAY = 4;

        abstract long indexOf(LocalDate date);

        abstract LocalDate firstDay(long index);

        @Override
        public long indexOf(LocalDateTime local) {
            return indexOf(local.toLocalDate());
        }

        @Override
        public LocalDateTime begin(long index) {
            return firstDay(index).atStartOfDay();
        }
    }
}
