package io.ratelimit.core.refusal;

import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.ClientKinds;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * What a shared store has refused lately, and when tokens were last given back by this host. A refusal counts only if it was
 * asked for after all that was given back to its bucket had arrived, so that it does not matter which of the two is known
 * first. Of a fixed size: where another client's refusal has the place, one is not remembered, and its client asks again.
 * Thread-safe, without locks.
 *
 * <p>Refusals are repeated for a tenth of a second at most, since what other hosts give back is not known here. So a refused
 * client costs ten hops a second, however often he comes, and nobody waits longer than that for tokens that are there.
 */
public final class RefusalMemory {

    /** How long a refusal is repeated at most. */
    static final Duration LONGEST = Duration.ofMillis(100);

    /** So that a flood of clients takes no memory: some twenty megabytes if each place is taken, with one rule. */
    private static final int PLACES_BITS = 16;

    private static final int STAMPS_BITS = 14;

    /** The golden ratio, which spreads what is near over all places. */
    private static final long SPREAD = 0x9E37_79B9_7F4A_7C15L;

    private final TimeSource timeSource;
    private final long originNanos;
    private final ClientKinds kinds = new ClientKinds();
    private final AtomicReferenceArray<@Nullable KnownRefusal> places = new AtomicReferenceArray<>(1 << PLACES_BITS);

    /** When something was given back, in nanoseconds since just before the beginning; buckets of one stamp share it. */
    private final AtomicLongArray givenBack = new AtomicLongArray(1 << STAMPS_BITS);

    /**
     * Begins without refusals.
     *
     * @param timeSource this host's clocks
     */
    public RefusalMemory(TimeSource timeSource) {
        this.timeSource = timeSource;
        this.originNanos = timeSource.nanoTime() - 1;
    }

    /**
     * The refusal that a charge can be answered with.
     *
     * @param charge one whose refusal {@linkplain RepeatedRefusals#endWithTime ends with time}
     * @param nanos the time
     * @return null where the store is to be asked
     */
    @Nullable
    KnownRefusal find(Charge charge, long nanos) {
        long client = kinds.fingerprint(charge.client());
        KnownRefusal known = places.get(placeOf(client, charge));
        return known != null && known.isOf(client, charge) && isGood(known, nanos) ? known : null;
    }

    /**
     * Takes note of what a store has refused.
     *
     * @param refused its answer
     * @param askedNanos when it was asked, on this host's clock
     */
    void learn(SpendOutcome refused, long askedNanos) {
        long answered = timeSource.nanoTime();
        List<ChargeOutcome> request = refused.charges();
        for (ChargeOutcome outcome : request) {
            if (!outcome.admits() && RepeatedRefusals.endWithTime(outcome.charge())) {
                Refusal refusal = Refusal.of(outcome.limits(), askedNanos, answered, LONGEST.toNanos());
                long client = kinds.fingerprint(outcome.charge().client());
                learn(new KnownRefusal(client, outcome.charge(), refusal, request));
            }
        }
    }

    private void learn(KnownRefusal refusal) {
        int place = placeOf(refusal.client(), refusal.charge());
        KnownRefusal other = places.get(place);
        // The first of two keeps the place until it is over: whoever comes often gets it in the end.
        if (other == null || other.isOf(refusal.client(), refusal.charge()) || !isGood(other, timeSource.nanoTime())) {
            places.set(place, refusal);
        }
    }

    /** Takes note that tokens of a charge are given back, or have been: what was asked for before counts no more. */
    void giveBack(Charge charge) {
        long since = timeSource.nanoTime() - originNanos;
        givenBack.accumulateAndGet(stampOf(kinds.fingerprint(charge.client()), charge), since, Math::max);
    }

    private boolean isGood(KnownRefusal known, long nanos) {
        return known.refusal().isGood(nanos)
                && known.refusal().askedNanos() - originNanos > givenBack.get(stampOf(known.client(), known.charge()));
    }

    /** Forgets what counts no more. To be called every half minute; costs a walk over all places. */
    public void sweep() {
        long now = timeSource.nanoTime();
        for (int place = 0; place < places.length(); place++) {
            KnownRefusal known = places.get(place);
            if (known != null && !isGood(known, now)) {
                places.compareAndSet(place, known, null);
            }
        }
    }

    /** How many refusals are kept, those not swept yet included; costs a walk over all places. */
    int size() {
        int size = 0;
        for (int place = 0; place < places.length(); place++) {
            size += places.get(place) == null ? 0 : 1;
        }
        return size;
    }

    private static int placeOf(long client, Charge charge) {
        return (int) (((bucketOf(client, charge) + charge.cost()) * SPREAD) >>> (Long.SIZE - PLACES_BITS));
    }

    /** The same for all versions of a rule, and for all costs. */
    private static int stampOf(long client, Charge charge) {
        return (int) ((bucketOf(client, charge) * SPREAD) >>> (Long.SIZE - STAMPS_BITS));
    }

    private static long bucketOf(long client, Charge charge) {
        return 31 * client + charge.bucket().name().hashCode();
    }
}
