package io.ratelimit.redis;

import io.ratelimit.core.algorithm.Moment;

/** The clock that buckets in Redis refill by. */
interface RedisTime {

    /** The clock of the server that has the bucket, which counts in microseconds and is a wall clock. */
    RedisTime OF_SERVER = new RedisTime() {

        private static final long NANOS_PER_MICRO = 1_000;
        private static final long MICROS_PER_MILLI = 1_000;

        private static final byte[] OF_ITSELF = {};

        @Override
        public byte[] argument() {
            return OF_ITSELF;
        }

        @Override
        public Moment at(long micros) {
            return new Moment(micros * NANOS_PER_MICRO, micros / MICROS_PER_MILLI);
        }
    };

    /** What scripts take for the time: microseconds in digits, or nothing for that of the server. Not to be written to. */
    byte[] argument();

    /**
     * The time of an answer.
     *
     * @param micros as the script has it
     */
    Moment at(long micros);
}
