package io.ratelimit.hazelcast;

import com.hazelcast.map.IMap;
import io.ratelimit.core.entry.EntryCall;
import java.util.UUID;

/** Removes what is forgotten from the partitions that this member owns: by calls that members of any version know. */
final class OwnSweep implements Runnable {

    private final IMap<UUID, ClientBuckets> buckets;
    private final EntryCalls owners;

    /**
     * Makes a sweep.
     *
     * @param buckets the entries
     * @param owners take the calls
     */
    OwnSweep(IMap<UUID, ClientBuckets> buckets, EntryCalls owners) {
        this.buckets = buckets;
        this.owners = owners;
    }

    /** One entry after the other, which leaves the owner's threads to requests. */
    @Override
    public void run() {
        for (UUID key : buckets.localKeySet(new ForgottenPredicate())) {
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
            owners.call(key, EntryCall.REWRITE).join();
        }
    }
}
