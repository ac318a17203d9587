package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;

/**
 * What became of a step.
 *
 * @param allowed whether the request passes, as far as this client's buckets are concerned
 * @param slots what each bucket says, in the order in which the step names them
 */
record StepAnswer(boolean allowed, List<SlotAnswer> slots) {

    void writeTo(DataOutput out, SpecWriter specs) throws IOException {
        out.writeBoolean(allowed);
        Wire.writeAll(out, slots, slot -> slot.writeTo(out, specs));
    }

    static StepAnswer readFrom(DataInput in, SpecReader specs) throws IOException {
        return new StepAnswer(in.readBoolean(), Wire.readAll(in, () -> SlotAnswer.readFrom(in, specs)));
    }
}
