package io.ratelimit.core.wire;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;

/**
 * One limit as a part of a message. A first byte has the algorithm's code in its lower half, and what differs from the
 * usual in its upper half: the usual limit has a capacity of its tokens, a period of whole seconds, and no options.
 */
final class WireLimit {

    private static final int CODES = 0x0F;
    private static final int OWN_CAPACITY = 0x10;
    private static final int IN_NANOS = 0x20;
    private static final int OPTIONS = 0x40;

    private WireLimit() {}

    static void write(DataOutput out, Limit limit) throws IOException {
        boolean ownCapacity = limit.capacity() != limit.tokens();
        boolean inNanos =
                !limit.period().equals(Duration.ofSeconds(limit.period().toSeconds()));
        boolean options = !limit.options().equals(LimitOptions.NONE);
        out.writeByte(codeOf(limit.algorithm())
                | (ownCapacity ? OWN_CAPACITY : 0)
                | (inNanos ? IN_NANOS : 0)
                | (options ? OPTIONS : 0));
        Wire.writeUnsigned(out, limit.tokens());
        Wire.writeUnsigned(
                out, inNanos ? limit.period().toNanos() : limit.period().toSeconds());
        if (ownCapacity) {
            Wire.writeUnsigned(out, limit.capacity());
        }
        if (options) {
            writeOptions(out, limit.options());
        }
    }

    static Limit read(DataInput in) throws IOException {
        int head = in.readByte();
        Algorithm algorithm = algorithmOf(head & CODES);
        long tokens = Wire.readUnsigned(in);
        long length = Wire.readUnsigned(in);
        Duration period = (head & IN_NANOS) == 0 ? Duration.ofSeconds(length) : Duration.ofNanos(length);
        long capacity = (head & OWN_CAPACITY) == 0 ? tokens : Wire.readUnsigned(in);
        LimitOptions options = (head & OPTIONS) == 0 ? LimitOptions.NONE : readOptions(in);
        return new Limit(tokens, period, capacity, algorithm, options);
    }

    /** Not the place in the enumeration, which may change. */
    private static int codeOf(Algorithm algorithm) {
        return switch (algorithm) {
            case TOKEN_BUCKET -> 0;
            case LEAKY_BUCKET -> 1;
            case GCRA -> 2;
            case FIXED_WINDOW -> 3;
            case SLIDING_WINDOW_LOG -> 4;
            case SLIDING_WINDOW_COUNTER -> 5;
            case CONCURRENCY -> 6;
            case WARM_UP -> 7;
        };
    }

    private static Algorithm algorithmOf(int code) throws IOException {
        for (Algorithm algorithm : Algorithm.values()) {
            if (codeOf(algorithm) == code) {
                return algorithm;
            }
        }
        throw new IOException("a host sends a limit of an algorithm, number " + code
                + ", that this one does not know: all hosts need the same version of ratelimit");
    }

    private static void writeOptions(DataOutput out, LimitOptions options) throws IOException {
        out.writeBoolean(options.refill() == Refill.INTERVAL);
        Wire.writeText(
                out,
                options.alignment() instanceof Alignment.Clock clock
                        ? clock.zone().getId()
                        : "");
        Wire.writeUnsigned(out, options.precision());
        Wire.writeUnsigned(out, options.minInterval().toNanos());
        out.writeBoolean(options.chargeRefused());
        Penalty penalty = options.penalty();
        Wire.writeUnsigned(out, penalty == null ? 0 : penalty.refusals());
        Wire.writeUnsigned(out, penalty == null ? 0 : penalty.length().toNanos());
    }

    private static LimitOptions readOptions(DataInput in) throws IOException {
        Refill refill = in.readBoolean() ? Refill.INTERVAL : Refill.GREEDY;
        String zone = Wire.readText(in);
        LimitOptions options = LimitOptions.NONE
                .withRefill(refill)
                .withAlignment(zone.isEmpty() ? new Alignment.Client() : new Alignment.Clock(ZoneId.of(zone)))
                .withPrecision((int) Wire.readUnsigned(in))
                .withMinInterval(Duration.ofNanos(Wire.readUnsigned(in)))
                .withChargeRefused(in.readBoolean());
        long refusals = Wire.readUnsigned(in);
        long nanos = Wire.readUnsigned(in);
        return refusals == 0 ? options : options.withPenalty(new Penalty((int) refusals, Duration.ofNanos(nanos)));
    }
}
