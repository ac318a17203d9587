package io.ratelimit.core.entry;

import io.ratelimit.core.bucket.OwnerBreaker;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Those who own clients' entries and take steps on them. Thread-safe. */
public interface Owners {

    /**
     * Has the owner of an entry change it.
     *
     * @param key the client
     * @param call the change
     * @return the owner's answer; fails where there is none, and then the change may have been made or not
     */
    CompletableFuture<EntryAnswer> call(UUID key, EntryCall call);

    /**
     * The breaker of the owner of an entry.
     *
     * @param key the client
     * @return the breaker
     */
    OwnerBreaker breakerOf(UUID key);

    /**
     * The name of the owner of an entry.
     *
     * @param key the client
     * @return how a message calls it
     */
    String nameOf(UUID key);
}
