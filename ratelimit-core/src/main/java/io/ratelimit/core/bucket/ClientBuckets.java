package io.ratelimit.core.bucket;

import io.ratelimit.LimitState;
import io.ratelimit.core.algorithm.CellRate;
import io.ratelimit.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * The buckets of all clients of one rule in a {@link LocalBucketStore}, for whoever asks them again and again: finds them
 * without looking the rule up, and spends without allocating. Answers for a single binding cost under limits that refill
 * evenly; for everything else the store is asked. Thread-safe.
 */
public final class ClientBuckets implements DirectBuckets {

    private final String name;
    private final CompiledSpec spec;
    private final EvenRates rates;
    private final TokenBucketCache cache;
    private final RecentRefunds refunds;
    private final ClientKinds kinds;
    private final StoreClock clock;
    private final FailureLog failures;

    /** Looked up when first needed: most of many rules have no clients. */
    private volatile @Nullable BucketTable table;

    ClientBuckets(
            String name,
            CompiledSpec spec,
            EvenRates rates,
            TokenBucketCache cache,
            RecentRefunds refunds,
            ClientKinds kinds,
            StoreClock clock,
            FailureLog failures) {
        this.name = name;
        this.spec = spec;
        this.rates = rates;
        this.cache = cache;
        this.refunds = refunds;
        this.kinds = kinds;
        this.clock = clock;
        this.failures = failures;
    }

    @Override
    public ClientKinds kinds() {
        return kinds;
    }

    /** Allocates nothing for a client who is known; undecided also where the table has no place for one who is new. */
    @Override
    public Verdict spend(ClientKind kind, String value, long cost) {
        return spend(kind.fingerprint(value), cost, null);
    }

    @Override
    public @Nullable LocalSpending spendInDetail(ClientKind kind, String value, long cost) {
        LocalSpending told = new LocalSpending(this, rates.count(), kind, value, cost);
        return spend(told.fingerprint(), cost, told) == Verdict.UNDECIDED ? null : told;
    }

    /** What one limit says of a cost; 0 for one that was spent. */
    LimitState describe(int limit, long state, long nanos, long missed) {
        return rates.describe(limit, state, nanos, missed);
    }

    /** The receipt of a cost that was spent. */
    LocalReceipt receipt(long fingerprint, long cost, long[] states, long nanos, long[] refundedBefore) {
        long[][] words = new long[states.length][];
        for (int i = 0; i < words.length; i++) {
            words[i] = new long[] {states[i]};
        }
        return new LocalReceipt(new BucketKey(name, fingerprint), spec, cost, words, nanos, refundedBefore);
    }

    private Verdict spend(long fingerprint, long cost, @Nullable LocalSpending told) {
        if (cost < 0) {
            throw new IllegalArgumentException("a charge is 0 or more tokens, not " + cost);
        }
        BucketTable clients = table();
        int spins = 0;
        while (true) {
            BucketSegment segment = clients.segment(fingerprint);
            CompiledSpec inForce = segment.spec();
            int at = segment.find(fingerprint);
            if (at == BucketSegment.NONE || spec.replaces(inForce)) {
                BucketTable current = lookedUp();
                if (current != clients) {
                    // Nobody had a bucket in the one that was known, and it was forgotten.
                    clients = current;
                } else if ((at == BucketSegment.NONE && cache.isFull()) || !prepare(fingerprint)) {
                    return Verdict.UNDECIDED;
                }
                continue;
            }
            EvenRates deciding = inForce.even();
            if (deciding == null || (told != null && !spec.equals(inForce))) {
                return Verdict.UNDECIDED;
            }
            Verdict verdict = deciding.count() == 1
                    ? spendOne(segment, at, deciding.rate(0), fingerprint, cost, told)
                    : spendSeveral(segment, at, deciding, fingerprint, cost, told);
            if (verdict != null) {
                failures.answered();
                return verdict;
            }
            TokenBucketCache.pause(++spins);
        }
    }

    /** Makes a client's bucket, or continues it under these limits; false if the table has become full. */
    private boolean prepare(long fingerprint) {
        try {
            cache.prepare(new BucketKey(name, fingerprint), spec, false, clock.now());
            return true;
        } catch (StoreException full) {
            return false;
        }
    }

    private BucketTable table() {
        BucketTable known = table;
        return known == null ? lookedUp() : known;
    }

    private BucketTable lookedUp() {
        BucketTable current = cache.table(name, spec);
        table = current;
        return current;
    }

    /** Without a lock; null if somebody else was quicker. */
    private @Nullable Verdict spendOne(
            BucketSegment segment, int at, CellRate rate, long fingerprint, long cost, @Nullable LocalSpending told) {
        long word = segment.word(at);
        if (BucketSegment.isLocked(word)) {
            return null;
        }
        // After the word: a time before others' charges would make these look like more than they are, and refuse.
        long nanos = clock.nanos();
        long state = BucketSegment.stateOf(word);
        boolean admits = rate.admits(state, nanos, cost);
        // Between the word and its replacement, so that no refund is taken for one that came before this charge.
        long[] refunded = told == null ? BucketRefunds.NO_TOTALS : refundedTo(fingerprint);
        long after = admits && cost > 0 ? rate.spend(state, nanos, cost) : state;
        if (after != state && !segment.replace(at, word, after)) {
            return null;
        }
        if (told != null) {
            told.states()[0] = after;
            told.note(admits, nanos, refunded);
        }
        return admits ? Verdict.ALLOWED : Verdict.REFUSED;
    }

    /** Under the slot's lock, but for refusals that need none; null if somebody else holds it. */
    private @Nullable Verdict spendSeveral(
            BucketSegment segment,
            int at,
            EvenRates deciding,
            long fingerprint,
            long cost,
            @Nullable LocalSpending told) {
        long nanos = clock.nanos();
        if (told == null && segment.refuses(at, deciding, nanos, clock, cost)) {
            return Verdict.REFUSED;
        }
        if (!segment.tryLock(at)) {
            return null;
        }
        try {
            boolean admits = segment.admits(at, deciding, nanos, cost);
            if (!admits) {
                nanos = clock.nanos();
                admits = segment.admits(at, deciding, nanos, cost);
            }
            long[] refunded = told == null ? BucketRefunds.NO_TOTALS : refundedTo(fingerprint);
            if (admits) {
                segment.spend(at, deciding, nanos, cost);
            }
            if (told != null) {
                segment.copyStates(at, told.states());
                told.note(admits, nanos, refunded);
            }
            return admits ? Verdict.ALLOWED : Verdict.REFUSED;
        } finally {
            segment.unlock(at);
        }
    }

    /** What the receipt of a charge must say of earlier refunds. */
    private long[] refundedTo(long fingerprint) {
        return refunds.areNone() ? BucketRefunds.NO_TOTALS : refunds.totals(new BucketKey(name, fingerprint), spec);
    }
}
