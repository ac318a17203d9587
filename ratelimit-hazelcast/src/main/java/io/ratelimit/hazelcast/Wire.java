package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.ratelimit.core.algorithm.TokenBucket;
import io.ratelimit.core.bucket.CompiledSpec;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The parts that every message is made of. Each message starts with the version of its form. */
final class Wire {

    static final byte VERSION = 1;

    private static final int MOST_ELEMENTS = 10_000;

    private Wire() {}

    static void writeVersion(ObjectDataOutput out) throws IOException {
        out.writeByte(VERSION);
    }

    static void readVersion(ObjectDataInput in) throws IOException {
        byte version = in.readByte();
        if (version != VERSION) {
            throw new IOException("a member sends buckets in form " + version + ", this one reads form " + VERSION
                    + ": all members need the same version of ratelimit-hazelcast");
        }
    }

    static int readCount(ObjectDataInput in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > MOST_ELEMENTS) {
            throw new IOException("a message of ratelimit-hazelcast is damaged: it claims " + count + " elements");
        }
        return count;
    }

    static void writeSpec(ObjectDataOutput out, NamedSpec named) throws IOException {
        out.writeString(named.name());
        CompiledSpec spec = named.spec();
        out.writeLong(spec.version());
        out.writeInt(spec.size());
        for (int i = 0; i < spec.size(); i++) {
            TokenBucket limit = spec.limit(i);
            out.writeLong(limit.unitsPerTick());
            out.writeLong(limit.unitsPerToken());
            out.writeLong(limit.nanosPerTick());
            out.writeLong(limit.capacity());
            out.writeLong(spec.periodNanos(i));
        }
    }

    static NamedSpec readSpec(ObjectDataInput in) throws IOException {
        String name = Objects.requireNonNull(in.readString(), "name");
        long version = in.readLong();
        int count = readCount(in);
        List<TokenBucket> limits = new ArrayList<>(count);
        long[] periods = new long[count];
        for (int i = 0; i < count; i++) {
            limits.add(TokenBucket.ofNumbers(in.readLong(), in.readLong(), in.readLong(), in.readLong()));
            periods[i] = in.readLong();
        }
        return new NamedSpec(name, CompiledSpec.ofNumbers(version, limits, periods));
    }

    /** States as their distances from full, which mean the same on every clock; as many as the spec has limits. */
    static void writeUsed(ObjectDataOutput out, CompiledSpec spec, long[] used) throws IOException {
        for (int i = 0; i < spec.size(); i++) {
            out.writeLong(used[i]);
        }
    }

    static long[] readUsed(ObjectDataInput in, CompiledSpec spec) throws IOException {
        long[] used = new long[spec.size()];
        for (int i = 0; i < used.length; i++) {
            used[i] = in.readLong();
        }
        return used;
    }
}
