package io.ratelimit.server.console;

import io.ratelimit.server.rules.Draft;
import org.jspecify.annotations.Nullable;

/**
 * What would change, before it is published.
 *
 * @param visit who looks, at which service
 * @param proposal what would be published
 * @param nextNumber the number that the version will have
 * @param diff the change line by line
 * @param change the change by rule, or null where what is in force cannot be read any more
 * @param findings what is likely a mistake
 * @param error what is wrong with the comment, or null
 */
record ReviewPage(
        Visit visit,
        Proposal proposal,
        long nextNumber,
        DiffView diff,
        @Nullable ChangeInWords change,
        FindingsView findings,
        @Nullable String error)
        implements Page {

    /** The tab that a change belongs to: what is brought back comes from the history. */
    String tab() {
        return proposal.restoredFrom() == null ? "rules" : "history";
    }

    int longestComment() {
        return Draft.LONGEST_COMMENT;
    }

    @Override
    public String template() {
        return "review.jte";
    }
}
