package io.ratelimit.core.lease;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Predicate;

/** Shared buckets as one host sees them: it knows how many hosts there are, and counts what it asks. */
final class OneHostsView implements BucketStore {

    private final BucketStore shared;
    private int hosts;
    private int calls;
    private boolean away;
    private Predicate<SpendOutcome> isLate = answer -> false;
    private CompletableFuture<Void> late = CompletableFuture.completedFuture(null);

    OneHostsView(BucketStore shared, int hosts) {
        this.shared = shared;
        this.hosts = hosts;
    }

    void hears(int count) {
        hosts = count;
    }

    void isAway(boolean now) {
        away = now;
    }

    /** Keeps such answers back, though what they say is done. */
    void answersLate(Predicate<SpendOutcome> answers) {
        isLate = answers;
        late = new CompletableFuture<>();
    }

    void answersWhatIsLate() {
        isLate = answer -> false;
        late.complete(null);
    }

    private CompletionStage<SpendOutcome> whenItComes(SpendOutcome answer) {
        return isLate.test(answer) ? late.thenApply(come -> answer) : CompletableFuture.completedFuture(answer);
    }

    int calls() {
        return calls;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        calls++;
        return away
                ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                : shared.spend(charges, timeout).thenCompose(this::whenItComes);
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return shared.refund(receipt, tokens);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        return shared.release(receipt);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return shared.undo(receipt, tokens);
    }

    @Override
    public int hosts() {
        return hosts;
    }

    @Override
    public void close() {}
}
