package io.ratelimit.server.rules;

import org.jspecify.annotations.Nullable;

/** Somebody else has published since the author looked; nothing was stored. */
public final class LostUpdateException extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient @Nullable RulesVersion current;

    LostUpdateException(@Nullable RulesVersion current) {
        super(
                current == null
                        ? "there are no rules to change: they were never published, or were taken out"
                        : "version " + current.number() + " was published by " + current.author() + " at "
                                + current.published() + ": look at it, and publish again on top of it");
        this.current = current;
    }

    /**
     * What is in force instead.
     *
     * @return the version, or null where there is none
     */
    public @Nullable RulesVersion current() {
        return current;
    }
}
