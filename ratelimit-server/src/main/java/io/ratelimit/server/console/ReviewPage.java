package io.ratelimit.server.console;

import io.ratelimit.server.rules.Draft;
import io.ratelimit.server.rules.RulesVersion;
import org.jspecify.annotations.Nullable;

/**
 * What would change, before it is published.
 *
 * @param visit who looks, at which service
 * @param proposal what would be published
 * @param base what is in force, or null
 * @param diff the change line by line
 * @param change the change by rule, or null where what is in force cannot be read any more
 * @param findings what is likely a mistake
 * @param comment what the author has said about the change
 * @param error what is wrong with the comment, or null
 */
record ReviewPage(
        Visit visit,
        Proposal proposal,
        @Nullable RulesVersion base,
        DiffView diff,
        @Nullable ChangeInWords change,
        FindingsView findings,
        String comment,
        @Nullable String error)
        implements Page {

    int longestComment() {
        return Draft.LONGEST_COMMENT;
    }

    String restoredFrom() {
        return proposal.restoredFrom() == null ? "" : String.valueOf(proposal.restoredFrom());
    }

    long nextNumber() {
        return base == null ? 1 : base.number() + 1;
    }

    @Override
    public String template() {
        return "review.jte";
    }
}
