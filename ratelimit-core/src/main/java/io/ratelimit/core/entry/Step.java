package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/** What one request has to do with one client's buckets: a part of a call. */
sealed interface Step permits SpendStep, RefundStep, RewriteStep {

    /** Changes what must be changed, and says what became of it. */
    StepAnswer apply(EntryEdit edit);

    /**
     * Answers to a step that was taken before: nothing is changed once more.
     *
     * @param allowed what it was answered then
     */
    StepAnswer repeat(EntryEdit edit, boolean allowed);

    /** Tells the kinds of steps apart. */
    int code();

    void writeTo(DataOutput out, SpecWriter specs) throws IOException;

    static Step readFrom(DataInput in, SpecReader specs) throws IOException {
        int code = in.readByte();
        return switch (code) {
            case SpendStep.CODE -> SpendStep.readFrom(in, specs);
            case RefundStep.CODE -> RefundStep.readFrom(in, specs);
            case RewriteStep.CODE -> new RewriteStep();
            default ->
                throw new IOException("a host asks for a step of the kind " + code
                        + ", which this one does not know: all hosts need the same version of ratelimit");
        };
    }
}
