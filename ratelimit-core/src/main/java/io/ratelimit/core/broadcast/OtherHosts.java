package io.ratelimit.core.broadcast;

import com.google.common.collect.MapMaker;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes from this host's buckets what others tell. Thread-safe. */
final class OtherHosts {

    private static final Logger LOG = LoggerFactory.getLogger(OtherHosts.class);

    private static final long MOST_SUMS = 1_000_000;
    private static final int HOSTS_OF_A_BUCKET = 4;

    private final AtomicBoolean complained = new AtomicBoolean();
    private final LocalBucketStore local;
    private final IntSupplier hosts;
    private final ConcurrentMap<SpecForm, BucketSpec> buckets =
            new MapMaker().weakValues().makeMap();

    /**
     * Begins to listen.
     *
     * @param local the buckets of this host
     * @param hosts how many hosts there are, this one included
     */
    OtherHosts(LocalBucketStore local, IntSupplier hosts) {
        this.local = local;
        this.hosts = hosts;
    }

    /** How many sums of other hosts are remembered: for each bucket that this host can keep, those of some hosts. */
    int mostSums() {
        return (int) Math.min(MOST_SUMS, HOSTS_OF_A_BUCKET * (long) local.maxBuckets());
    }

    /** The same bucket for the same form, for as long as anybody has it; null for limits that are not known here. */
    @Nullable
    BucketSpec bucketOf(SpecForm form) {
        try {
            return buckets.computeIfAbsent(form, OtherHosts::decoded);
        } catch (RuntimeException e) {
            if (!complained.getAndSet(true)) {
                LOG.warn(
                        "Another host tells of a limit that is not known here, and what is spent of it is not heard: all hosts"
                                + " need the same version of ratelimit. This is said once",
                        e);
            }
            return null;
        }
    }

    /** Services never meet, though this one does not say which it is of: the service is in the names of clients. */
    private static BucketSpec decoded(SpecForm form) {
        SpecForm.Content content = form.decode();
        BucketSpec bucket = new BucketSpec("", content.name(), content.version(), content.limits(), StorePolicy.UNSET);
        // Limits that cannot be counted by are refused before anything is noted of them.
        CompiledSpec.of(bucket);
        return bucket;
    }

    /**
     * Takes from a bucket here what a sum says.
     *
     * @param bucket the bucket
     * @param item the sum
     * @param delivery how it has come
     * @param news what of it is new
     */
    void take(BucketSpec bucket, ConsumptionNews.Item item, Delivery delivery, HeardConsumption.News news) {
        take(bucket, item, delivery, news, news.standsAsThere());
    }

    /**
     * Takes from a bucket here what a sum says.
     *
     * @param stands whether the bucket has no more here than where the sum comes from, if it says so
     * @return tokens that the bucket lacks by that, which no sum tells
     */
    long take(
            BucketSpec bucket,
            ConsumptionNews.Item item,
            Delivery delivery,
            HeardConsumption.News news,
            boolean stands) {
        ClientIdentifier client = NamedClient.of(item.key()).identifier();
        int times = Math.max(1, hosts.getAsInt() - 1);
        if (news.spent().tokens() > 0) {
            local.owe(client, bucket, news.spent(), times);
        }
        long lacking = 0;
        if (stands
                && delivery.tellsStates()
                && item.states().length == bucket.limits().size()) {
            lacking = local.haveAtMost(client, bucket, item.states(), delivery.underWayNanos(), times);
        }
        if (news.returned() > 0) {
            // Last, for how the bucket stood there may have been looked up before it came back.
            local.giveBack(client, bucket, news.returned());
        }
        return lacking;
    }
}
