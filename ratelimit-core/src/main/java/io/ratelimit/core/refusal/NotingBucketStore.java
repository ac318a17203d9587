package io.ratelimit.core.refusal;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.ForwardingBucketStore;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes note of what a shared store refuses, and of what is given back to it. Beneath all that answers in the store's place
 * when it fails, so that only its own word is noted, late answers and what is given back of them included. Thread-safe.
 */
public final class NotingBucketStore extends ForwardingBucketStore {

    private final RefusalMemory memory;
    private final TimeSource timeSource;

    /**
     * Listens to a store.
     *
     * @param store what all hosts share; closed with this one
     * @param memory what is noted
     * @param timeSource this host's clocks
     */
    public NotingBucketStore(BucketStore store, RefusalMemory memory, TimeSource timeSource) {
        super(store);
        this.memory = memory;
        this.timeSource = timeSource;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        long askedNanos = timeSource.nanoTime();
        CompletionStage<SpendOutcome> answer = store().spend(charges, timeout);
        boolean isOfSeveral = isOfSeveral(charges);
        if (answer.toCompletableFuture().isCompletedExceptionally()) {
            // As it is: each stage behind it would make an exception of its own, with a stack trace.
            if (isOfSeveral) {
                noteTrials(charges, null);
            }
            return answer;
        }
        if (isOfSeveral) {
            answer = answer.whenComplete((spent, failure) -> noteTrials(charges, spent));
        }
        return answer.thenApply(spent -> {
            if (spent.allowed()) {
                return NotedReceipt.note(spent);
            }
            if (!spent.degraded()) {
                memory.learn(spent, askedNanos);
            }
            return spent;
        });
    }

    /** The store asks for several clients at once, and gives back by itself where one of them is refused. */
    private void noteTrials(List<Charge> charges, @Nullable SpendOutcome spent) {
        if (spent == null) {
            charges.forEach(memory::giveBack);
        } else if (!spent.allowed()) {
            spent.charges().stream()
                    .filter(ChargeOutcome::admits)
                    .map(ChargeOutcome::charge)
                    .forEach(memory::giveBack);
        }
    }

    private static boolean isOfSeveral(List<Charge> charges) {
        ClientIdentifier first = charges.get(0).client();
        for (int i = 1; i < charges.size(); i++) {
            if (!charges.get(i).client().equals(first)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        NotedReceipt noted = (NotedReceipt) receipt;
        return giveBack(noted, () -> store().refund(noted.receipt(), tokens));
    }

    /** Ends a request under way; only limits are changed whose refusals are not repeated. */
    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return store().release(((NotedReceipt) receipt).receipt());
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        NotedReceipt noted = (NotedReceipt) receipt;
        return giveBack(noted, () -> store().undo(noted.receipt(), tokens));
    }

    /** What is asked for while tokens are on their way may be refused without them, so that their arrival is noted too. */
    private CompletionStage<Void> giveBack(NotedReceipt noted, Supplier<CompletionStage<Void>> call) {
        memory.giveBack(noted.charge());
        return call.get().whenComplete((done, failure) -> memory.giveBack(noted.charge()));
    }
}
