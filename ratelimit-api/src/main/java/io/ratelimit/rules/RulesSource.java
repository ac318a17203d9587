package io.ratelimit.rules;

import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where rules come from. Asked by one thread at a time.
 */
public interface RulesSource extends AutoCloseable {

    /**
     * Where the rules come from, for messages.
     *
     * @return a file's path or a URL without credentials
     */
    String location();

    /**
     * Asks for the rules.
     *
     * @param last the document that this source gave last, possibly in an earlier run, or null where there is none
     * @return the rules as they are now; empty where they have not changed since {@code last}
     * @throws IOException if the source cannot be read; the message says what is wrong and what to do
     * @throws InterruptedException if the thread is interrupted while it waits for the source
     */
    Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException;

    /** Releases what the source holds. */
    @Override
    default void close() {}
}
