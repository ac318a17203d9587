package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/** What became of a call. Immutable. */
public final class EntryAnswer {

    /** Until one is read. */
    public static final EntryAnswer EMPTY = new EntryAnswer(0, 0, List.of());

    private final long clockId;
    private final long nanos;
    private final List<StepAnswer> steps;

    /**
     * Answers. Keeps the list, which must not be written to any more.
     *
     * @param clockId whose clock the time is on
     * @param nanos when the steps were taken
     * @param steps what became of each
     */
    EntryAnswer(long clockId, long nanos, List<StepAnswer> steps) {
        this.clockId = clockId;
        this.nanos = nanos;
        this.steps = steps;
    }

    long clockId() {
        return clockId;
    }

    long nanos() {
        return nanos;
    }

    List<StepAnswer> steps() {
        return steps;
    }

    /**
     * Writes the answer, without the form of the message that it is in: a change here needs another form in every store.
     *
     * @param out the message
     * @throws IOException if it cannot be written
     */
    public void writeTo(DataOutput out) throws IOException {
        out.writeLong(clockId);
        Wire.writeSigned(out, nanos);
        SpecWriter specs = new SpecWriter(out);
        Wire.writeAll(out, steps, step -> step.writeTo(out, specs));
        Wire.writeNoAdditions(out);
    }

    /**
     * Reads an answer.
     *
     * @param in the message
     * @return the answer
     * @throws IOException if the message ends, or is damaged
     */
    public static EntryAnswer readFrom(DataInput in) throws IOException {
        long clockId = in.readLong();
        long nanos = Wire.readSigned(in);
        SpecReader specs = new SpecReader(in);
        List<StepAnswer> steps = Wire.readAll(in, () -> StepAnswer.readFrom(in, specs));
        Wire.skipAdditions(in);
        return new EntryAnswer(clockId, nanos, steps);
    }
}
