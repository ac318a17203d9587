package io.ratelimit.core;

import io.ratelimit.TimeSource;
import io.ratelimit.core.broadcast.BroadcastingBucketStore;
import io.ratelimit.core.bucket.EventualBucketStore;
import io.ratelimit.core.bucket.FailoverBucketStore;
import io.ratelimit.core.bucket.FailureLog;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.bucket.SharingBucketStore;
import io.ratelimit.core.lease.LeasingBucketStore;
import io.ratelimit.core.match.BucketFinder;
import io.ratelimit.core.reconcile.ReconcilingBucketStore;
import io.ratelimit.core.refusal.NotingBucketStore;
import io.ratelimit.core.refusal.RefusalMemory;
import io.ratelimit.core.refusal.RefusingBucketStore;
import io.ratelimit.rules.Sharing;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.MessageBroadcaster;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/**
 * The stores of an engine, one upon the other.
 *
 * @param local this host's table
 * @param shared what all hosts share, as it was made; null where this host goes alone
 * @param refusals what that has refused lately; null where it keeps no buckets, or this host goes alone
 * @param leases what this host has taken from that ahead of time; null where it keeps no buckets, or this host goes alone
 * @param told this host's table for rules whose hosts tell one another what was spent; null where this host goes alone
 * @param all sends each charge where its rule says; what is shared is closed with it
 */
record EngineBuckets(
        LocalBucketStore local,
        @Nullable BucketStore shared,
        @Nullable RefusalMemory refusals,
        @Nullable LeasingBucketStore leases,
        @Nullable EventualBucketStore told,
        BucketStore all) {

    static EngineBuckets alone(LocalBucketStore local) {
        return new EngineBuckets(local, null, null, null, null, local);
    }

    /**
     * Puts the stores together.
     *
     * @param timer ends waits for the shared store
     * @param failures hears of its failures
     * @param untold hears of what it cannot be told
     * @param period how often hosts tell one another what was spent
     */
    static EngineBuckets sharing(
            LocalBucketStore local,
            BucketStore shared,
            ScheduledExecutorService timer,
            FailureLog failures,
            FailureLog untold,
            Duration period,
            TimeSource timeSource) {
        if (shared.onlyBroadcasts()) {
            return telling(local, shared, timeSource);
        }
        RefusalMemory refusals = new RefusalMemory(timeSource);
        BucketStore noted = new NotingBucketStore(shared, refusals, timeSource);
        BucketStore exact = new FailoverBucketStore(noted, local, timer, failures);
        LeasingBucketStore leases = new LeasingBucketStore(exact, timeSource);
        // Before charges go to leases or to the store, for a request is refused whichever of its rules refuses it.
        BucketStore all =
                new RefusingBucketStore(new SharingBucketStore(Sharing.LEASED, leases, exact), refusals, timeSource);
        MessageBroadcaster broadcaster = shared.broadcaster();
        EventualBucketStore told;
        if (broadcaster != null) {
            told = new BroadcastingBucketStore(local, broadcaster, timeSource);
            all = new SharingBucketStore(Sharing.EVENTUAL, told, all);
        } else {
            ReconcilingBucketStore reconciling = new ReconcilingBucketStore(local, shared, timeSource, period, untold);
            told = reconciling;
            all = new SharingBucketStore(
                    bucket -> bucket.policy().sharing() == Sharing.EVENTUAL && reconciling.reconciles(bucket),
                    told,
                    all);
        }
        return new EngineBuckets(
                local, shared, refusals, leases, told, new SharingBucketStore(Sharing.HOST, local, all));
    }

    /** Where there are no buckets but the hosts' own. */
    private static EngineBuckets telling(LocalBucketStore local, BucketStore shared, TimeSource timeSource) {
        MessageBroadcaster broadcaster =
                Objects.requireNonNull(shared.broadcaster(), "a store without buckets has a broadcaster");
        EventualBucketStore told = new BroadcastingBucketStore(local, broadcaster, timeSource);
        BucketStore all = new SharingBucketStore(bucket -> true, told, shared);
        return new EngineBuckets(local, shared, null, null, told, new SharingBucketStore(Sharing.HOST, local, all));
    }

    /** The same stores, where what is shared is asked through another store. */
    EngineBuckets withShared(BucketStore made) {
        return new EngineBuckets(local, made, refusals, leases, told, all);
    }

    /** Which buckets can be asked without a detour: this host's where nothing is shared, and leases. */
    BucketFinder direct() {
        return spec -> {
            Sharing sharing = spec.policy().sharing();
            if (told == null || sharing == Sharing.HOST) {
                return local.bucketsOf(spec);
            }
            return leases != null && sharing == Sharing.LEASED ? leases.leasesOf(spec) : null;
        };
    }
}
