package io.ratelimit.core.entry;

import io.ratelimit.core.wire.SpecWriter;
import java.io.DataOutput;
import java.util.List;

/** Has an entry written as it is, with the life that it needs. */
record RewriteStep() implements Step {

    static final int CODE = 3;

    @Override
    public StepAnswer apply(EntryEdit edit) {
        edit.rewrite();
        return new StepAnswer(true, List.of());
    }

    @Override
    public StepAnswer repeat(EntryEdit edit, boolean allowed) {
        return apply(edit);
    }

    @Override
    public int code() {
        return CODE;
    }

    @Override
    public void writeTo(DataOutput out, SpecWriter specs) {}
}
