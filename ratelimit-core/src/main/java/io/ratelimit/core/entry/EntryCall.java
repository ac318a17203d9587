package io.ratelimit.core.entry;

import com.google.common.primitives.Longs;
import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.SpecWriter;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Steps that are taken on a client's entry, one after the other. Immutable. */
public final class EntryCall {

    private static final long ID_TAG = 1;

    /** A call that changes nothing: the answer only shows that the owner is there. */
    public static final EntryCall NOTHING = new EntryCall(CallIds.NONE, List.of());

    /** Has an entry written as it is, with the life that it needs, or removed if it may be forgotten. */
    public static final EntryCall REWRITE = new EntryCall(CallIds.NONE, List.of(new RewriteStep()));

    private final long id;
    private final List<Step> steps;

    /**
     * Makes a call. Keeps the list, which must not be written to any more.
     *
     * @param id tells it from all others, so that it has no effect a second time; or {@link CallIds#NONE}
     * @param steps what is to be done
     */
    EntryCall(long id, List<Step> steps) {
        this.id = id;
        this.steps = steps;
    }

    List<Step> steps() {
        return steps;
    }

    /**
     * The same steps for a store that never makes a call again whose outcome it does not know, so that entries need not
     * remember it.
     *
     * @return a call that is not known again
     */
    public EntryCall madeOnce() {
        return new EntryCall(CallIds.NONE, steps);
    }

    /**
     * Takes the steps, or answers as the first time if they have been taken.
     *
     * @param edit the entry
     * @return what became of each
     */
    public EntryAnswer apply(EntryEdit edit) {
        BitSet before = edit.allowedIn(id);
        List<StepAnswer> answers = before == null ? take(edit) : repeat(edit, before);
        return new EntryAnswer(edit.clockId(), edit.now().nanos(), answers);
    }

    private List<StepAnswer> take(EntryEdit edit) {
        List<StepAnswer> answers = new ArrayList<>(steps.size());
        BitSet allowed = new BitSet(steps.size());
        for (Step step : steps) {
            StepAnswer answer = step.apply(edit);
            allowed.set(answers.size(), answer.allowed());
            answers.add(answer);
        }
        edit.remember(id, allowed);
        return answers;
    }

    private List<StepAnswer> repeat(EntryEdit edit, BitSet allowed) {
        List<StepAnswer> answers = new ArrayList<>(steps.size());
        for (Step step : steps) {
            answers.add(step.repeat(edit, allowed.get(answers.size())));
        }
        return answers;
    }

    /**
     * Writes the call, without the form of the message that it is in: a change here needs another form in every store.
     *
     * @param out the message
     * @throws IOException if it cannot be written
     */
    public void writeTo(DataOutput out) throws IOException {
        SpecWriter specs = new SpecWriter(out);
        Wire.writeAll(out, steps, step -> {
            out.writeByte(step.code());
            step.writeTo(out, specs);
        });
        Wire.writeAddition(out, ID_TAG, Longs.toByteArray(id));
    }

    /**
     * Reads a call.
     *
     * @param in the message
     * @return the call
     * @throws IOException if the message ends, is damaged, or has a step that this version does not know
     */
    public static EntryCall readFrom(DataInput in) throws IOException {
        SpecReader specs = new SpecReader(in);
        List<Step> steps = Wire.readAll(in, () -> Step.readFrom(in, specs));
        byte[] sentId = Wire.readAddition(in, ID_TAG);
        return new EntryCall(sentId == null ? CallIds.NONE : Longs.fromByteArray(sentId), steps);
    }
}
