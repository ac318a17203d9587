package io.ratelimit.hazelcast;

import com.hazelcast.nio.ObjectDataInput;
import com.hazelcast.nio.ObjectDataOutput;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.rules.Limit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The parts that every message is made of. Each message starts with the version of its form. */
final class Wire {

    static final byte VERSION = 2;

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
        out.writeLong(named.spec().version());
        List<Limit> limits = named.spec().limits();
        out.writeInt(limits.size());
        for (Limit limit : limits) {
            WireLimit.write(out, limit);
        }
    }

    static NamedSpec readSpec(ObjectDataInput in) throws IOException {
        String name = Objects.requireNonNull(in.readString(), "name");
        long version = in.readLong();
        int count = readCount(in);
        List<Limit> limits = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            limits.add(WireLimit.read(in));
        }
        return new NamedSpec(name, CompiledSpec.of(version, limits, LimitAlgorithm::of));
    }

    /** States that have departed from their clock: an array of words for each limit. */
    static void writeStates(ObjectDataOutput out, long[][] states) throws IOException {
        out.writeInt(states.length);
        for (long[] state : states) {
            out.writeLongArray(state);
        }
    }

    static long[][] readStates(ObjectDataInput in) throws IOException {
        long[][] states = new long[readCount(in)][];
        for (int i = 0; i < states.length; i++) {
            states[i] = Objects.requireNonNull(in.readLongArray(), "state");
        }
        return states;
    }
}
