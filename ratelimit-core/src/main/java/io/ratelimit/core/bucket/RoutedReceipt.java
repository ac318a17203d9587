package io.ratelimit.core.bucket;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import java.util.concurrent.CompletionStage;

/** A receipt with the store that gave it, for decorators over several stores. */
record RoutedReceipt(BucketStore store, Receipt receipt) implements Receipt {

    static ChargeOutcome route(BucketStore store, ChargeOutcome outcome) {
        Receipt receipt = outcome.receipt();
        return receipt == null
                ? outcome
                : new ChargeOutcome(outcome.charge(), outcome.limits(), new RoutedReceipt(store, receipt));
    }

    CompletionStage<Void> refund(long tokens) {
        return store.refund(receipt, tokens);
    }
}
