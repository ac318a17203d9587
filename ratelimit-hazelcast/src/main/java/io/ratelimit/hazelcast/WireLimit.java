package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One limit as a part of a message: its numbers, and its options where it has any. */
final class WireLimit {

    private WireLimit() {}

    static void write(ObjectDataOutput out, Limit limit) throws IOException {
        out.writeString(limit.algorithm().word());
        out.writeLong(limit.tokens());
        out.writeLong(limit.period().toNanos());
        out.writeLong(limit.capacity());
        boolean plain = limit.options().equals(LimitOptions.NONE);
        out.writeBoolean(plain);
        if (!plain) {
            writeOptions(out, limit.options());
        }
    }

    static Limit read(ObjectDataInput in) throws IOException {
        String word = Objects.requireNonNull(in.readString(), "algorithm");
        Algorithm algorithm = Algorithm.ofWord(word)
                .orElseThrow(() -> new IOException("a member sends a limit of the algorithm '" + word
                        + "', which this one does not know: all members need the same version of ratelimit"));
        long tokens = in.readLong();
        Duration period = Duration.ofNanos(in.readLong());
        long capacity = in.readLong();
        return new Limit(tokens, period, capacity, algorithm, in.readBoolean() ? LimitOptions.NONE : readOptions(in));
    }

    private static void writeOptions(ObjectDataOutput out, LimitOptions options) throws IOException {
        out.writeBoolean(options.refill() == Refill.INTERVAL);
        out.writeString(
                options.alignment() instanceof Alignment.Clock clock
                        ? clock.zone().getId()
                        : null);
        out.writeInt(options.precision());
        out.writeLong(options.minInterval().toNanos());
        out.writeBoolean(options.chargeRefused());
        Penalty penalty = options.penalty();
        out.writeInt(penalty == null ? 0 : penalty.refusals());
        out.writeLong(penalty == null ? 0 : penalty.length().toNanos());
    }

    private static LimitOptions readOptions(ObjectDataInput in) throws IOException {
        Refill refill = in.readBoolean() ? Refill.INTERVAL : Refill.GREEDY;
        @Nullable String zone = in.readString();
        return LimitOptions.NONE
                .withRefill(refill)
                .withAlignment(zone == null ? new Alignment.Client() : new Alignment.Clock(ZoneId.of(zone)))
                .withPrecision(in.readInt())
                .withMinInterval(Duration.ofNanos(in.readLong()))
                .withChargeRefused(in.readBoolean())
                .withPenalty(penalty(in.readInt(), in.readLong()));
    }

    private static @Nullable Penalty penalty(int refusals, long nanos) {
        return refusals == 0 ? null : new Penalty(refusals, Duration.ofNanos(nanos));
    }
}
