package io.ratelimit.core.refusal;

import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.util.ArrayList;
import java.util.List;

/**
 * A receipt that says whose bucket a refund changes.
 *
 * @param receipt the store's
 * @param charge what was charged
 */
record NotedReceipt(Receipt receipt, Charge charge) implements Receipt {

    /** The outcome with such receipts. */
    static SpendOutcome note(SpendOutcome spent) {
        List<ChargeOutcome> noted = new ArrayList<>(spent.charges().size());
        for (ChargeOutcome outcome : spent.charges()) {
            Receipt receipt = outcome.receipt();
            noted.add(
                    receipt == null
                            ? outcome
                            : new ChargeOutcome(
                                    outcome.charge(), outcome.limits(), new NotedReceipt(receipt, outcome.charge())));
        }
        return new SpendOutcome(spent.allowed(), spent.degraded(), noted);
    }
}
