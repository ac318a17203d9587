package io.ratelimit.core.refusal;

import io.ratelimit.LimitState;
import io.ratelimit.TimeSource;
import io.ratelimit.core.bucket.ForwardingBucketStore;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses what a shared store has refused a moment ago, without asking it: a flood of a client who is over the limit costs
 * next to nothing. A request of several charges is refused if one of them is known to be; what the others say is what was
 * said with that refusal, or nothing. Rules under which a refusal counts ({@code chargeRefused}, {@code penalty}) are asked
 * each time. Thread-safe.
 *
 * <p>Waits are told as they were named, less the time that has passed. Smaller costs that passed meanwhile, here or on other
 * hosts, may make the wait longer than was told, as they may after any refusal.
 */
public final class RefusingBucketStore extends ForwardingBucketStore {

    private final RefusalMemory memory;
    private final TimeSource timeSource;

    /**
     * Stands before a store.
     *
     * @param store asked for all else; closed with this one. What it asks for exact charges is noted by a
     *     {@link NotingBucketStore}
     * @param memory what was noted
     * @param timeSource this host's clocks
     */
    public RefusingBucketStore(BucketStore store, RefusalMemory memory, TimeSource timeSource) {
        super(store);
        this.memory = memory;
        this.timeSource = timeSource;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        long now = timeSource.nanoTime();
        KnownRefusal known = refusalOf(charges, now);
        return known == null
                ? store().spend(charges, timeout)
                : CompletableFuture.completedFuture(repeat(known, charges, now));
    }

    private @Nullable KnownRefusal refusalOf(List<Charge> charges, long nanos) {
        KnownRefusal known = null;
        for (int i = 0; i < charges.size(); i++) {
            Charge charge = charges.get(i);
            if (RepeatedRefusals.mustBeAsked(charge)) {
                return null;
            }
            known = known == null ? find(charge, nanos) : known;
        }
        return known;
    }

    private @Nullable KnownRefusal find(Charge charge, long nanos) {
        return RepeatedRefusals.endWithTime(charge) ? memory.find(charge, nanos) : null;
    }

    private SpendOutcome repeat(KnownRefusal known, List<Charge> charges, long nanos) {
        List<ChargeOutcome> outcomes = new ArrayList<>(charges.size());
        for (Charge charge : charges) {
            // Not to be looked for again: it may be forgotten in this moment, and the answer would name no limit.
            KnownRefusal own = charge.equals(known.charge()) ? known : find(charge, nanos);
            List<LimitState> limits =
                    own == null ? known.limitsOf(charge, nanos) : own.refusal().limitsAt(nanos);
            outcomes.add(new ChargeOutcome(charge, limits, null));
        }
        return new SpendOutcome(false, false, outcomes);
    }
}
