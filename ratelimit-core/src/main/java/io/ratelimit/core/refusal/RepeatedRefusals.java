package io.ratelimit.core.refusal;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Sharing;
import io.ratelimit.store.Charge;
import java.util.List;

/** Which refusals can be repeated without asking, because time alone ends them and nobody misses the question. */
final class RepeatedRefusals {

    private RepeatedRefusals() {}

    /**
     * Whether a request with this charge is to be asked for though it will be refused: the refusal itself would count, or
     * the charge is made whatever the answer is.
     */
    static boolean mustBeAsked(Charge charge) {
        if (charge.kind() == Charge.Kind.LATE) {
            return true;
        }
        if (!charge.kind().decides()) {
            return false;
        }
        List<Limit> limits = charge.bucket().limits();
        for (int i = 0; i < limits.size(); i++) {
            if (limits.get(i).options().chargeRefused()
                    || limits.get(i).options().penalty() != null) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether a charge that was refused stays refused until its wait is over, whatever else is charged. Requests that wait
     * their turn are no such; requests under way, which end at any time, are not counted by such limits; and what is
     * leased knows its refusals itself, since a lease may come at any time.
     */
    static boolean endWithTime(Charge charge) {
        if (charge.kind() != Charge.Kind.BINDING
                || charge.maxWaitNanos() != 0
                || charge.cost() == 0
                || charge.bucket().policy().sharing() == Sharing.LEASED) {
            return false;
        }
        List<Limit> limits = charge.bucket().limits();
        for (int i = 0; i < limits.size(); i++) {
            if (limits.get(i).algorithm() == Algorithm.CONCURRENCY) {
                return false;
            }
        }
        return true;
    }
}
