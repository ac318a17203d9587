package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A receipt with the store that gave it, for decorators over several stores. */
record RoutedReceipt(BucketStore store, Receipt receipt) implements Receipt {

    /** The outcome with receipts that know their store; those that know it already, of a store beneath, stay. */
    static SpendOutcome route(BucketStore store, SpendOutcome spent) {
        if (spent.charges().stream().noneMatch(RoutedReceipt::isUnrouted)) {
            return spent;
        }
        List<ChargeOutcome> routed =
                spent.charges().stream().map(outcome -> route(store, outcome)).toList();
        return new SpendOutcome(spent.allowed(), spent.degraded(), routed);
    }

    private static ChargeOutcome route(BucketStore store, ChargeOutcome outcome) {
        Receipt receipt = outcome.receipt();
        return receipt == null || receipt instanceof RoutedReceipt
                ? outcome
                : new ChargeOutcome(outcome.charge(), outcome.limits(), new RoutedReceipt(store, receipt));
    }

    private static boolean isUnrouted(ChargeOutcome outcome) {
        return outcome.receipt() != null && !(outcome.receipt() instanceof RoutedReceipt);
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
