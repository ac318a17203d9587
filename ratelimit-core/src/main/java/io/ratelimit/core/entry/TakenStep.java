package io.ratelimit.core.entry;

import io.ratelimit.LimitState;
import io.ratelimit.core.wire.SpecForm;
import java.util.List;

/**
 * What became of a step, and when.
 *
 * @param call the answer to the call that it was part of
 * @param step its own part of that
 */
record TakenStep(EntryAnswer call, StepAnswer step) {

    boolean allowed() {
        return step.allowed();
    }

    /** The state of each limit of a charge. */
    List<LimitState> limits(int charge) {
        return step.slots().get(charge).limits();
    }

    /** Whether a charge was made, which a shadow of a request that passes may not have been. */
    boolean isSpent(int charge) {
        return step.slots().get(charge).isSpent();
    }

    /** What a refund must know of a charge that was made. */
    MadeCharge charge(int charge, SpecForm asked) {
        SlotAnswer slot = step.slots().get(charge);
        SpecForm other = slot.other();
        return new MadeCharge(
                other == null ? asked : other, slot.receipt(), slot.refundedBefore(), call.clockId(), call.nanos());
    }
}
