package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Buckets in this process. Answers at once, on the caller's thread. Clients are kept by 63 bits of a {@link SipHash} of
 * their identifier under a key of this store, so that nobody can aim at another client's bucket: among 1,000,000 clients
 * two share a bucket with a probability of 6 in 10^8. Thread-safe.
 */
public final class LocalBucketStore implements BucketStore {

    private final StoreClock clock;
    private final TokenBucketCache buckets;
    private final ClientKinds kinds = new ClientKinds();
    private final FailureLog failures;
    private final int maxBuckets;
    private final RecentRefunds refunds = new RecentRefunds();
    private final LearnedLimits learned = new LearnedLimits();

    /** By reference: specs of rules that are no longer in force go with them. */
    private final ConcurrentMap<BucketSpec, KeptSpec> specs =
            new MapMaker().weakKeys().makeMap();

    /**
     * A spec made ready.
     *
     * @param direct the way to its buckets for those who need no store, or null
     */
    private record KeptSpec(CompiledSpec compiled, @Nullable ClientBuckets direct) {}

    /**
     * Makes an empty store whose failures only the log hears of.
     *
     * @param timeSource the clock that buckets refill by
     * @param maxBuckets the most buckets that are kept at a time, at least 1
     */
    public LocalBucketStore(TimeSource timeSource, int maxBuckets) {
        this(timeSource, maxBuckets, new FailureLog("The table of clients", timeSource, new RateLimitListener() {}));
    }

    /**
     * Makes an empty store. A charge whose client finds no place in a full table is answered by the rule's
     * {@code onFailure}, where {@code local} means that it passes; the other charges of the request are asked.
     *
     * @param timeSource the clock that buckets refill by
     * @param maxBuckets the most buckets that are kept at a time, at least 1
     * @param failures hears of clients that find no place
     */
    public LocalBucketStore(TimeSource timeSource, int maxBuckets, FailureLog failures) {
        this.failures = failures;
        this.clock = new StoreClock(timeSource);
        this.buckets = new TokenBucketCache(maxBuckets);
        this.maxBuckets = maxBuckets;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        try {
            SpendOutcome outcome = spendNow(charges);
            failures.answered();
            return CompletableFuture.completedFuture(outcome);
        } catch (StoreException full) {
            failures.failed(full);
            return CompletableFuture.completedFuture(spendWithoutNewcomers(charges));
        } catch (RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        LocalReceipt made = (LocalReceipt) receipt;
        giveBack(made, (spec, states, now) -> spec.refund(states, now, tokens, made.spec(), refunds.words(made, now)));
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> release(Receipt receipt) {
        LocalReceipt made = (LocalReceipt) receipt;
        if (made.spec().countsInFlight()) {
            change(
                    made.key(),
                    (spec, states, now) -> spec.release(states, now, made.cost(), made.spec(), made.words()));
        }
        return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Void> undo(Receipt receipt, long tokens) {
        LocalReceipt made = (LocalReceipt) receipt;
        giveBack(
                made,
                (spec, states, now) ->
                        spec.undo(states, now, tokens, made.cost(), made.spec(), refunds.words(made, now)));
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Remembers what a shared store said of buckets, so that this host goes on from there if the store stops answering.
     * What this host charged by itself meanwhile is kept where it leaves fewer tokens.
     *
     * @param said an answer of the shared store
     */
    void remember(SpendOutcome said) {
        for (ChargeOutcome outcome : said.charges()) {
            if (!outcome.limits().isEmpty() && UnaskedCharges.is(OnFailure.LOCAL, outcome.charge())) {
                remember(outcome);
            }
        }
    }

    private void remember(ChargeOutcome outcome) {
        CompiledSpec spec = compile(outcome.charge().bucket());
        // What another rule set said is of no use to this one.
        touch(
                outcome.charge().client(),
                outcome.charge().bucket(),
                (inForce, states, now) -> inForce.equals(spec) ? spec.fewest(states, outcome.limits(), now) : states);
    }

    /**
     * Takes note of tokens that were spent on another host: what a bucket does not hold, it owes, and pays back by
     * waiting. Limits that do not refill evenly are used up and owe nothing; a client for whom there is no room is left
     * alone.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @param spent what was spent there
     * @param times how many times its capacity a limit owes at most, at least 0
     */
    public void owe(ClientIdentifier client, BucketSpec bucket, SpentElsewhere spent, int times) {
        touch(client, bucket, (inForce, states, now) -> inForce.owe(states, now, spent, times));
    }

    /**
     * Takes note of tokens that have come back on another host, of what was spent there.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @param tokens how many, at least 1; what a bucket cannot hold is lost
     */
    public void giveBack(ClientIdentifier client, BucketSpec bucket, long tokens) {
        change(keyOf(client, bucket), (spec, states, now) -> spec.giveBack(states, now, tokens));
    }

    /**
     * Takes note of what a bucket has on another host: here it has no more.
     *
     * @param client whose buckets
     * @param bucket which buckets, under the limits of the other host
     * @param departed the states there, as {@link #departing} gives them
     * @param ageNanos how long ago they left, in nanoseconds, at least 0
     * @param times how many times its capacity a limit owes at most, whatever is said of it
     * @return tokens that each limit has less now than before
     */
    public long haveAtMost(ClientIdentifier client, BucketSpec bucket, long[][] departed, long ageNanos, int times) {
        CompiledSpec spec = compile(bucket);
        long[] fewer = {0};
        touch(client, bucket, (inForce, states, now) -> {
            if (!inForce.equals(spec)) {
                return states;
            }
            long[][] tighter = spec.tighter(states, spec.arriveOwing(departed, now.minusNanos(ageNanos), times), now);
            fewer[0] = spec.fewer(states, tighter, now);
            return tighter;
        });
        return fewer[0];
    }

    /**
     * Takes note of what a bucket has that all hosts share: here it has no more.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @param seen what the shared store has said of them
     */
    public void haveAtMost(ClientIdentifier client, BucketSpec bucket, SharedBucket seen) {
        CompiledSpec spec = compile(bucket);
        touch(client, bucket, (inForce, states, now) -> inForce.equals(spec) ? spec.fewest(states, seen, now) : states);
    }

    /**
     * The states of a client's buckets as another host can read them.
     *
     * @param client whose buckets
     * @param bucket which buckets
     * @return words for each limit; null if the buckets are full, or under other limits by now
     */
    public long @Nullable [][] departing(ClientIdentifier client, BucketSpec bucket) {
        HeldBucket held = buckets.hold(keyOf(client, bucket));
        if (held == null) {
            return null;
        }
        try {
            CompiledSpec spec = held.spec();
            return spec.equals(compile(bucket)) ? spec.depart(held.states(), clock.now()) : null;
        } finally {
            held.unlock();
        }
    }

    private void touch(ClientIdentifier client, BucketSpec bucket, Change change) {
        BucketKey key = keyOf(client, bucket);
        // One time for both: a bucket that was made now is known by it.
        Moment now = clock.now();
        try {
            buckets.prepare(key, compile(bucket), false, now);
        } catch (StoreException full) {
            return;
        }
        change(key, (spec, states, later) -> change.of(spec, states, now));
    }

    /** Forgets buckets that have become full. To be called every few minutes; costs a walk over all buckets. */
    public void sweep() {
        Moment now = clock.now();
        buckets.sweep(now);
        refunds.sweep(buckets, now);
    }

    /**
     * The most buckets that are kept.
     *
     * @return a number, at least 1
     */
    public int maxBuckets() {
        return maxBuckets;
    }

    /**
     * How many buckets are kept.
     *
     * @return the number of clients and rules with something spent, and those not swept yet
     */
    public long size() {
        return buckets.size();
    }

    @Override
    public void close() {}

    private SpendOutcome spendNow(List<Charge> charges) {
        Charge first = charges.get(0);
        if (charges.size() == 1 && first.kind() == Charge.Kind.BINDING && first.maxWaitNanos() == 0) {
            ClientBuckets direct = bucketsOf(first.bucket());
            LocalSpending spending =
                    direct == null ? null : direct.spendInDetail(kinds.only(first.client()), "", first.cost());
            if (spending != null) {
                return outcome(first, spending);
            }
        }
        return spendTogether(charges);
    }

    private SpendOutcome spendTogether(List<Charge> charges) {
        // Who found room once keeps it: full buckets of his that others' search has dropped meanwhile come back.
        SpendOutcome outcome = trySpendTogether(charges, false);
        while (outcome == null) {
            outcome = trySpendTogether(charges, true);
        }
        return outcome;
    }

    private SpendOutcome spendWithoutNewcomers(List<Charge> charges) {
        List<Charge> newcomers = charges.stream().filter(this::isNewcomer).toList();
        List<Charge> known =
                charges.stream().filter(charge -> !newcomers.contains(charge)).toList();
        boolean refused = UnaskedCharges.anyRefuses(newcomers);
        if (refused || known.isEmpty()) {
            return UnaskedCharges.all(charges, !refused);
        }
        try {
            return UnaskedCharges.beside(spendNow(known), charges);
        } catch (StoreException forgottenMeanwhile) {
            return UnaskedCharges.all(charges, true);
        }
    }

    private boolean isNewcomer(Charge charge) {
        return !buckets.has(keyOf(charge));
    }

    private static SpendOutcome outcome(Charge charge, LocalSpending spending) {
        return new SpendOutcome(
                spending.allowed(), false, List.of(new ChargeOutcome(charge, spending.limits(), spending.receipt())));
    }

    /** Locks all buckets, checks all, then writes all; null if a bucket was forgotten meanwhile. */
    private @Nullable SpendOutcome trySpendTogether(List<Charge> charges, boolean hasRoom) {
        Moment now = clock.now();
        List<HeldCharge> held = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            held.add(prepared(charge, hasRoom, now));
        }
        List<HeldCharge> lockOrder = inLockOrder(held);
        int locked = 0;
        try {
            while (locked < lockOrder.size()) {
                HeldCharge next = lockOrder.get(locked);
                HeldBucket bucket = buckets.hold(next.key());
                if (bucket == null) {
                    return null;
                }
                next.hold(bucket);
                locked++;
                next.know(refunds);
            }
            // What others spent since an earlier time would look like more than it is.
            Moment decided = clock.now();
            boolean allowed = allLet(held, decided);
            List<ChargeOutcome> outcomes = new ArrayList<>(held.size());
            for (HeldCharge charge : held) {
                outcomes.add(charge.settle(allowed, decided));
            }
            SpendOutcome outcome = new SpendOutcome(allowed, false, outcomes);
            locked = 0;
            held.forEach(HeldCharge::write);
            return outcome;
        } finally {
            for (int i = 0; i < locked; i++) {
                lockOrder.get(i).letGo();
            }
        }
    }

    private static boolean allLet(List<HeldCharge> held, Moment now) {
        for (HeldCharge charge : held) {
            if (!charge.lets(now)) {
                return false;
            }
        }
        return true;
    }

    /** The same order for all threads, and no bucket twice: a thread would wait for itself. */
    private static List<HeldCharge> inLockOrder(List<HeldCharge> held) {
        if (held.size() == 1) {
            return held;
        }
        List<HeldCharge> ordered =
                held.stream().sorted(Comparator.comparing(HeldCharge::key)).toList();
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).key().equals(ordered.get(i - 1).key())) {
                throw new IllegalArgumentException("two charges of a request are for the same bucket '"
                        + ordered.get(i).key().name() + "' of the same client");
            }
        }
        return ordered;
    }

    private HeldCharge prepared(Charge charge, boolean hasRoom, Moment now) {
        HeldCharge prepared = new HeldCharge(charge, compile(charge.bucket()), keyOf(charge));
        buckets.prepare(prepared.key(), prepared.asked(), hasRoom, now);
        return prepared;
    }

    private interface Change {
        long[][] of(CompiledSpec spec, long[][] states, Moment now);
    }

    private void giveBack(LocalReceipt made, Change refund) {
        change(made.key(), (spec, states, now) -> {
            long[][] after = refund.of(spec, states, now);
            refunds.add(made, spec, states, after, now);
            return after;
        });
    }

    private void change(BucketKey key, Change change) {
        // None if it was forgotten, which only happens to a full one.
        HeldBucket bucket = buckets.hold(key);
        if (bucket == null) {
            return;
        }
        boolean unlocked = false;
        try {
            long[][] states = change.of(bucket.spec(), bucket.states(), clock.now());
            bucket.unlock(states);
            unlocked = true;
        } finally {
            if (!unlocked) {
                bucket.unlock();
            }
        }
    }

    private BucketKey keyOf(Charge charge) {
        return keyOf(charge.client(), charge.bucket());
    }

    private BucketKey keyOf(ClientIdentifier client, BucketSpec bucket) {
        return new BucketKey(bucket.name(), kinds.fingerprint(client));
    }

    /**
     * The buckets of a rule, to be asked directly.
     *
     * @param spec what they are made from
     * @return the buckets, the same for the same spec; null where a limit does not refill evenly
     * @throws IllegalArgumentException if a limit cannot be counted exactly
     */
    public @Nullable ClientBuckets bucketsOf(BucketSpec spec) {
        return kept(spec).direct;
    }

    private CompiledSpec compile(BucketSpec spec) {
        return kept(spec).compiled;
    }

    private KeptSpec kept(BucketSpec spec) {
        KeptSpec known = specs.get(spec);
        return known == null ? specs.computeIfAbsent(spec, this::keep) : known;
    }

    private KeptSpec keep(BucketSpec spec) {
        CompiledSpec compiled =
                CompiledSpec.of(spec.version(), spec.limits(), limit -> learned.algorithm(spec.name(), limit));
        EvenRates even = compiled.even();
        if (even == null) {
            return new KeptSpec(compiled, null);
        }
        CompiledSpec kept = buckets.kept(spec.name(), compiled);
        return new KeptSpec(kept, new ClientBuckets(spec.name(), kept, even, buckets, refunds, kinds, clock, failures));
    }
}
