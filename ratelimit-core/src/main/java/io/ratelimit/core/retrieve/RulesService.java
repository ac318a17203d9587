package io.ratelimit.core.retrieve;

import io.ratelimit.core.retrieve.RulesStatus.Push;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A source that wants to know how its hosts are doing, and may tell them of changes itself. */
interface RulesService extends PolledRulesSource {

    /**
     * Asks for the rules as {@link #retrieve(RulesDocument)} does, and says what is in force on this host.
     *
     * @param inForce the document in force, or null where there is none
     */
    Optional<RulesDocument> retrieve(@Nullable RulesDocument last, @Nullable RulesDocument inForce)
            throws IOException, InterruptedException;

    @Override
    default Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException, InterruptedException {
        return retrieve(last, null);
    }

    /**
     * Wants to be told of changes. Called before the first retrieval, if at all.
     *
     * @param wake called on any thread when it is worth asking at once; returns at once
     */
    void onNews(Runnable wake);

    /** Who takes reports of its hosts. */
    ReportReceiver reports();

    /** Whether it tells of changes now. Called by any thread. */
    Push push();
}
