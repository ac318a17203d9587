package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * A receipt with the store that gave it, for decorators over several stores.
 *
 * @param store the store
 * @param receipt its receipt
 */
public record RoutedReceipt(BucketStore store, Receipt receipt) implements Receipt {

    /** The outcome with receipts that know their store; those that know it already, of a store beneath, stay. */
    static SpendOutcome route(BucketStore store, SpendOutcome spent) {
        boolean changed = false;
        List<ChargeOutcome> routed = new ArrayList<>(spent.charges().size());
        for (ChargeOutcome outcome : spent.charges()) {
            Receipt receipt = outcome.receipt();
            if (receipt == null || receipt instanceof RoutedReceipt) {
                routed.add(outcome);
            } else {
                changed = true;
                Receipt known = new RoutedReceipt(store, receipt);
                routed.add(new ChargeOutcome(outcome.charge(), outcome.limits(), known));
            }
        }
        return changed ? new SpendOutcome(spent.allowed(), spent.degraded(), routed) : spent;
    }

    CompletionStage<Void> refund(long tokens) {
        return store.refund(receipt, tokens);
    }

    CompletionStage<Void> undo(long tokens) {
        return store.undo(receipt, tokens);
    }

    CompletionStage<Void> release() {
        return store.release(receipt);
    }
}
