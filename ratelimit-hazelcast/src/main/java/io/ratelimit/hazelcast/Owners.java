package io.ratelimit.hazelcast;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** The members that own clients' entries. Thread-safe. */
interface Owners {

    /**
     * Has the owner of an entry change it.
     *
     * @param key the client
     * @param processor the change
     * @return the owner's answer; fails where there is none, and then the change may have been made or not
     */
    CompletableFuture<BucketAnswer> call(UUID key, BucketProcessor processor);
}
