package io.ratelimit.core.entry;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Charges of no client, sent through a whole store to find out whether it works, and to make it quick. */
public final class TrialCharges {

    /** No rules file names a service like this. */
    public static final String SERVICE = "\0ratelimit-probe";

    private static final Logger LOG = LoggerFactory.getLogger(TrialCharges.class);

    /** Refills soon, so that what is spent leaves no trace, and yet not before a refund comes. */
    private static final BucketSpec BUCKET = new BucketSpec(
            SERVICE,
            "probe",
            1,
            List.of(Limit.of(1_000_000, Duration.ofHours(1)), Limit.of(1_000_000, Duration.ofHours(2))),
            StorePolicy.UNSET);

    private static final long TOO_MUCH = 2_000_000;

    private final BucketStore store;
    private final Duration patience;

    /**
     * Charges nothing yet.
     *
     * @param store the store
     * @param patience how long to wait for an answer
     */
    public TrialCharges(BucketStore store, Duration patience) {
        this.store = store;
        this.patience = patience;
    }

    /**
     * Looks at a bucket.
     *
     * @param client whose, under {@link #SERVICE}
     * @throws ExecutionException if the store answers with a failure
     * @throws TimeoutException if it does not answer
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public void look(ClientIdentifier client) throws ExecutionException, TimeoutException, InterruptedException {
        spend(client, 0);
    }

    /**
     * Has all code of a decision run, again and again until it has run often enough to be compiled, or takes too long.
     *
     * @param clients whose buckets are charged
     * @param rounds how often for each
     * @param longest how long at most
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    public void warmUp(List<ClientIdentifier> clients, int rounds, Duration longest) throws InterruptedException {
        long begun = System.nanoTime();
        for (int round = 0; round < rounds; round++) {
            for (ClientIdentifier client : clients) {
                if (System.nanoTime() - begun > longest.toNanos() || !exercise(client)) {
                    return;
                }
            }
        }
    }

    private boolean exercise(ClientIdentifier client) throws InterruptedException {
        try {
            SpendOutcome spent = spend(client, 1);
            spend(client, TOO_MUCH);
            for (ChargeOutcome outcome : spent.charges()) {
                Receipt receipt = outcome.receipt();
                if (receipt != null) {
                    await(store.refund(receipt, 1));
                }
            }
            return true;
        } catch (ExecutionException | TimeoutException e) {
            LOG.warn(
                    "The shared store does not answer while it is warmed up; the first requests may take longer: {}",
                    String.valueOf(e.getMessage()));
            return false;
        }
    }

    private SpendOutcome spend(ClientIdentifier client, long cost)
            throws ExecutionException, TimeoutException, InterruptedException {
        return await(store.spend(List.of(new Charge(client, BUCKET, cost)), patience));
    }

    private <T> T await(CompletionStage<T> stage) throws InterruptedException, ExecutionException, TimeoutException {
        try {
            return stage.toCompletableFuture().get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (CompletionException e) {
            throw new ExecutionException(e);
        }
    }
}
