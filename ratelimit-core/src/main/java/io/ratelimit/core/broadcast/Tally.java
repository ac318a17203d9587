package io.ratelimit.core.broadcast;

import com.google.common.math.LongMath;
import io.ratelimit.core.wire.Wire;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/**
 * What was spent in an epoch, and what of it has come back: two sums that only grow, so that of two tallies of the same source
 * the larger one says all that the other does (a counter that goes up and down as two that go up: M. Shapiro et al., "A
 * Comprehensive Study of Convergent and Commutative Replicated Data Types", INRIA 2011, section 3.1.3). Immutable.
 *
 * @param spent tokens
 * @param returned tokens
 */
record Tally(long spent, long returned) {

    static final Tally NOTHING = new Tally(0, 0);

    static Tally ofSpent(long tokens) {
        return new Tally(tokens, 0);
    }

    /** What was spent and has not come back; below 0 if more has, of what an earlier epoch says. */
    long net() {
        return spent - returned;
    }

    /** All that has happened: of two tallies of the same source, the one that says more is larger. */
    long sum() {
        return LongMath.saturatedAdd(spent, returned);
    }

    boolean isNothing() {
        return spent == 0 && returned == 0;
    }

    Tally plus(Tally other) {
        return new Tally(spent + other.spent, returned + other.returned);
    }

    Tally minus(Tally other) {
        return new Tally(spent - other.spent, returned - other.returned);
    }

    /** So that what is spent less what has come back amounts to something. */
    Tally withNet(long net) {
        long more = net - net();
        return more >= 0 ? new Tally(spent + more, returned) : new Tally(spent, returned - more);
    }

    void writeTo(DataOutput out) throws IOException {
        Wire.writeUnsigned(out, spent);
        Wire.writeUnsigned(out, returned);
    }

    static Tally readFrom(DataInput in) throws IOException {
        return new Tally(Wire.readAmount(in), Wire.readAmount(in));
    }
}
