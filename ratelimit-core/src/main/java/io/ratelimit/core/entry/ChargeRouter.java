package io.ratelimit.core.entry;

import com.google.common.collect.MapMaker;
import io.ratelimit.TimeSource;
import io.ratelimit.core.wire.ClientKeys;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Sends charges to the owners of their clients' entries: one hop for each client, all at the same time; if one refuses,
 * the others are given back. Thread-safe.
 */
public final class ChargeRouter {

    /** The charges of one request for one client: their places in the request, and what is sent. */
    private record Hop(LocatedClient client, List<Integer> places, List<SpendStep.Item> items) {}

    private record Answered(Hop hop, TakenStep answer) {}

    /** What is given back is given back, however long that takes. */
    private static final Duration PATIENT = Duration.ofDays(1);

    private final ClientCalls calls;
    private final TimeSource timeSource;

    /** By reference: specs of rules that are no longer in force go with them. */
    private final ConcurrentMap<BucketSpec, SpecForm> specs =
            new MapMaker().weakKeys().makeMap();

    /**
     * Routes charges.
     *
     * @param owners take them, and know which of them answer
     * @param timeSource this host's clocks
     * @param sender runs what sends after an answer; at once where the threads that answers come on may send
     */
    public ChargeRouter(Owners owners, TimeSource timeSource, Executor sender) {
        this.calls = new ClientCalls(owners, timeSource, sender);
        this.timeSource = timeSource;
    }

    /**
     * Spends all charges or none.
     *
     * @param charges the charges of a request, at least one
     * @param keys name the clients
     * @param timeout how long an answer is of use, positive
     * @return a stage with what became of them; it fails where an owner does not answer, and then they may have been spent or
     *     not, but for a {@link io.ratelimit.store.StoreException} for one that has been silent before: nothing is sent then
     */
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, ClientKeys keys, Duration timeout) {
        return guarded(() -> spendTogether(charges, keys, timeout));
    }

    private CompletionStage<SpendOutcome> spendTogether(List<Charge> charges, ClientKeys keys, Duration timeout) {
        long askedNanos = timeSource.nanoTime();
        List<Hop> hops = hopsOf(charges, keys);
        hops.forEach(hop -> calls.check(hop.client(), timeout));
        if (hops.size() == 1) {
            Hop hop = hops.get(0);
            return submit(hop, timeout)
                    .thenApply(answer ->
                            outcome(charges, askedNanos, List.of(new Answered(hop, answer)), answer.allowed()));
        }
        List<CompletableFuture<Answered>> answers = hops.stream()
                .map(hop -> submit(hop, timeout).thenApply(answer -> new Answered(hop, answer)))
                .toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .handle((done, failure) -> settle(charges, askedNanos, answers, failure))
                .thenCompose(outcome -> outcome);
    }

    /**
     * Gives tokens of a charge back.
     *
     * @param receipt one of this router's
     * @param tokens how many, at least 0
     * @return a stage that completes when they are back
     */
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return guarded(() -> giveBack((EntryReceipt) receipt, tokens, false));
    }

    /**
     * Takes a charge back as if it had never been made.
     *
     * @param receipt one of this router's
     * @param tokens the charge's cost, without what was refunded before
     * @return a stage that completes when that is done
     */
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        return guarded(() -> giveBack((EntryReceipt) receipt, tokens, true));
    }

    private static <T> CompletionStage<T> guarded(Supplier<CompletionStage<T>> call) {
        try {
            return call.get();
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private CompletionStage<Void> giveBack(EntryReceipt receipt, long tokens, boolean undone) {
        long elapsed = timeSource.nanoTime() - receipt.askedNanos();
        RefundStep step = new RefundStep(List.of(new RefundStep.Item(receipt.charge(), elapsed, tokens, undone)));
        return calls.submit(calls.locate(receipt.key()), step, PATIENT).thenApply(answer -> null);
    }

    private List<Hop> hopsOf(List<Charge> charges, ClientKeys keys) {
        Map<EntryKey, Hop> hops = new LinkedHashMap<>();
        Charge previous = null;
        EntryKey key = null;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (key == null || previous == null || !sameEntry(previous, charge)) {
                key = keyOf(charge, keys);
            }
            previous = charge;
            Hop hop = hops.computeIfAbsent(
                    key, made -> new Hop(calls.locate(made), new ArrayList<>(2), new ArrayList<>(2)));
            hop.places().add(i);
            hop.items()
                    .add(new SpendStep.Item(
                            formOf(charge.bucket()), charge.cost(), charge.kind(), charge.maxWaitNanos()));
        }
        return List.copyOf(hops.values());
    }

    private static EntryKey keyOf(Charge charge, ClientKeys keys) {
        String service = charge.bucket().service();
        return new EntryKey(service, keys.keyOf(service, charge.client()));
    }

    private static boolean sameEntry(Charge one, Charge other) {
        return one.client().equals(other.client())
                && one.bucket().service().equals(other.bucket().service());
    }

    private SpecForm formOf(BucketSpec spec) {
        SpecForm known = specs.get(spec);
        return known != null ? known : specs.computeIfAbsent(spec, SpecForm::of);
    }

    private CompletableFuture<TakenStep> submit(Hop hop, Duration timeout) {
        return calls.submit(hop.client(), new SpendStep(hop.items()), timeout);
    }

    /** All clients have answered: the request passes if all allow it, otherwise what was spent goes back. */
    private CompletionStage<SpendOutcome> settle(
            List<Charge> charges, long askedNanos, List<CompletableFuture<Answered>> answers, Throwable failure) {
        List<Answered> known = answers.stream()
                .filter(answer -> !answer.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
        boolean refused = known.stream().anyMatch(answered -> !answered.answer().allowed());
        if (failure == null && !refused) {
            return CompletableFuture.completedFuture(outcome(charges, askedNanos, known, true));
        }
        List<CompletableFuture<Answered>> settled = known.stream()
                .map(answered -> answered.answer().allowed() ? giveBack(answered, askedNanos) : completed(answered))
                .toList();
        if (failure != null) {
            return CompletableFuture.failedFuture(failure);
        }
        return CompletableFuture.allOf(settled.toArray(CompletableFuture[]::new))
                .thenApply(done -> outcome(
                        charges,
                        askedNanos,
                        settled.stream().map(CompletableFuture::join).toList(),
                        false));
    }

    private static CompletableFuture<Answered> completed(Answered answered) {
        return CompletableFuture.completedFuture(answered);
    }

    /** Gives the charges of one client back; the answer says what the buckets hold after that. */
    private CompletableFuture<Answered> giveBack(Answered answered, long askedNanos) {
        Hop hop = answered.hop();
        long elapsed = timeSource.nanoTime() - askedNanos;
        List<RefundStep.Item> refunds = new ArrayList<>(hop.items().size());
        for (int i = 0; i < hop.items().size(); i++) {
            SpendStep.Item item = hop.items().get(i);
            // A shadow that was not spent is only looked at, so that answers stay in the order of the charges.
            boolean spent = answered.answer().isSpent(i);
            MadeCharge charge = answered.answer().charge(i, item.bucket());
            refunds.add(new RefundStep.Item(charge, elapsed, spent ? item.cost() : 0, spent));
        }
        return calls.submit(hop.client(), new RefundStep(refunds), PATIENT)
                .handle((answer, failure) -> failure == null ? new Answered(hop, answer) : answered);
    }

    private static SpendOutcome outcome(
            List<Charge> charges, long askedNanos, List<Answered> answers, boolean allowed) {
        ChargeOutcome[] outcomes = new ChargeOutcome[charges.size()];
        for (Answered answered : answers) {
            Hop hop = answered.hop();
            for (int i = 0; i < hop.places().size(); i++) {
                int place = hop.places().get(i);
                SpecForm asked = hop.items().get(i).bucket();
                Receipt receipt = allowed && answered.answer().isSpent(i)
                        ? new EntryReceipt(hop.client().key(), answered.answer().charge(i, asked), askedNanos)
                        : null;
                outcomes[place] =
                        new ChargeOutcome(charges.get(place), answered.answer().limits(i), receipt);
            }
        }
        return new SpendOutcome(allowed, false, List.of(outcomes));
    }
}
