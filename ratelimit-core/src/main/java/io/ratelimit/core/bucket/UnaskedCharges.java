package io.ratelimit.core.bucket;

import io.ratelimit.rules.OnFailure;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.util.List;

/** Outcomes of charges whose buckets could not be asked, so that {@code onFailure} answered for them. */
final class UnaskedCharges {

    private UnaskedCharges() {}

    static SpendOutcome all(List<Charge> charges, boolean allowed) {
        return new SpendOutcome(
                allowed, true, charges.stream().map(UnaskedCharges::one).toList());
    }

    /** What the buckets said that were asked, filled up with the charges whose were not, in the order given. */
    static SpendOutcome beside(SpendOutcome asked, List<Charge> charges) {
        List<ChargeOutcome> outcomes = charges.stream()
                .map(charge -> asked.charges().stream()
                        .filter(outcome -> outcome.charge().equals(charge))
                        .findFirst()
                        .orElseGet(() -> one(charge)))
                .toList();
        return new SpendOutcome(asked.allowed(), true, outcomes);
    }

    /** Whether one of the charges, without being asked, refuses its request. */
    static boolean anyRefuses(List<Charge> charges) {
        return charges.stream().anyMatch(charge -> charge.kind().decides() && is(OnFailure.CLOSED, charge));
    }

    static boolean is(OnFailure answer, Charge charge) {
        return charge.bucket().policy().onFailure() == answer;
    }

    private static ChargeOutcome one(Charge charge) {
        return new ChargeOutcome(charge, List.of(), null);
    }
}
