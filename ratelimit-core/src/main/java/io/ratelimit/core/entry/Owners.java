package io.ratelimit.core.entry;

import io.ratelimit.core.bucket.OwnerBreaker;
import java.util.concurrent.CompletableFuture;

/**
 * Those who own clients' entries and take steps on them. Asked for each request, so that nothing here may block or throw.
 * Thread-safe.
 */
public interface Owners {

    /**
     * Has the owner of an entry change it.
     *
     * @param key the client
     * @param call the change
     * @return the owner's answer, on any thread, which what follows holds up for a moment only; fails where there is none,
     *     and then the change may have been made or not
     */
    CompletableFuture<EntryAnswer> call(EntryKey key, EntryCall call);

    /**
     * The breaker of the owner of an entry.
     *
     * @param key the client
     * @return the breaker, the same for all entries of an owner
     */
    OwnerBreaker breakerOf(EntryKey key);

    /**
     * The name of the owner of an entry.
     *
     * @param key the client
     * @return how a sentence about it begins, such as {@code member 10.0.0.2:5701}
     */
    String nameOf(EntryKey key);
}
