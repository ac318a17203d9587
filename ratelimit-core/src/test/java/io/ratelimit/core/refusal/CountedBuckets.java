package io.ratelimit.core.refusal;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Shared buckets that count what they are asked, and may keep answers back though what they say is done. */
final class CountedBuckets implements BucketStore {

    private final BucketStore buckets;
    private final AtomicInteger calls = new AtomicInteger();
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> refunds = CompletableFuture.completedFuture(null);
    private boolean degraded;

    CountedBuckets(BucketStore buckets) {
        this.buckets = buckets;
    }

    int calls() {
        return calls.get();
    }

    /** Keeps answers back until the returned future is completed. */
    CompletableFuture<Void> keepAnswers() {
        answers = new CompletableFuture<>();
        return answers;
    }

    /** Keeps refunds on their way until the returned future is completed. */
    CompletableFuture<Void> keepRefunds() {
        refunds = new CompletableFuture<>();
        return refunds;
    }

    void answerInPlaceOfOthers() {
        degraded = true;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        calls.incrementAndGet();
        CompletionStage<Void> come = answers;
        return buckets.spend(charges, timeout)
                .thenApply(spent -> new SpendOutcome(spent.allowed(), degraded, spent.charges()))
                .thenCompose(spent -> come.thenApply(done -> spent));
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return refunds.thenCompose(come -> buckets.refund(receipt, tokens));
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return buckets.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return refunds.thenCompose(come -> buckets.undo(receipt, tokens));
    }

    @Override
    public void close() {}
}
