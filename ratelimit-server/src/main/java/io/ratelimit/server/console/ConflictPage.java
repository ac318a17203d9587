package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import org.jspecify.annotations.Nullable;

/**
 * Somebody else was quicker: what he has published, and the author's own text, which is kept.
 *
 * @param visit who looks, at which service
 * @param proposal what was not published
 * @param theirs what is in force now, or null where the rules were taken out
 * @param diff what they have changed, or null where that cannot be told
 */
record ConflictPage(
        Visit visit,
        Proposal proposal,
        @Nullable RulesVersion theirs,
        @Nullable DiffView diff) implements Page {

    @Override
    public String template() {
        return "conflict.jte";
    }
}
