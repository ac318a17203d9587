package io.ratelimit.server.publish;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.access.Caller;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.rules.Draft;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;

/** Publishes rules for callers who may. Thread-safe. */
public final class Publisher {

    private final RuleSets ruleSets;
    private final Changes changes;
    private final RulesReviewer reviewer = new RulesReviewer();

    /**
     * Makes a publisher.
     *
     * @param ruleSets where rules are stored
     * @param changes is told of what is published
     */
    public Publisher(RuleSets ruleSets, Changes changes) {
        this.ruleSets = ruleSets;
        this.changes = changes;
    }

    /**
     * Publishes a document.
     *
     * @param service whose rules
     * @param text the document
     * @param comment why
     * @param expectation what the caller believes to be in force
     * @param caller who publishes
     * @return the version in force
     * @throws DeniedException if the caller may not publish for the service
     * @throws InvalidRulesException if the document is not valid
     * @throws LostUpdateException if something else is in force
     * @throws IllegalArgumentException if the comment is too long
     */
    public RulesVersion publish(
            ServiceName service, String text, String comment, Expectation expectation, Caller caller)
            throws DeniedException, InvalidRulesException, LostUpdateException {
        caller.require(Permission.PUBLISH, service);
        RuleSet rules = valid(service, text);
        Draft draft = new Draft(service, text, rules.rules().size(), comment, null);
        return stored(draft, expectation, caller);
    }

    /**
     * Publishes the text of an earlier version again.
     *
     * @param earlier the version
     * @param comment why
     * @param expectation what the caller believes to be in force
     * @param caller who publishes
     * @return the version in force
     * @throws DeniedException if the caller may not publish for the service
     * @throws InvalidRulesException if the text was valid once and is not any more
     * @throws LostUpdateException if something else is in force
     * @throws IllegalArgumentException if the comment is too long
     */
    public RulesVersion restore(PublishedRules earlier, String comment, Expectation expectation, Caller caller)
            throws DeniedException, InvalidRulesException, LostUpdateException {
        ServiceName service = earlier.version().service();
        caller.require(Permission.PUBLISH, service);
        RuleSet rules = valid(service, earlier.text());
        Draft draft = new Draft(
                service,
                earlier.text(),
                rules.rules().size(),
                comment,
                earlier.version().number());
        return stored(draft, expectation, caller);
    }

    private RulesVersion stored(Draft draft, Expectation expectation, Caller caller) throws LostUpdateException {
        RulesVersion version = ruleSets.publish(draft, expectation, caller.getName());
        changes.tell(version);
        return version;
    }

    /**
     * Reads a document, and goes on only if it could be published for a service.
     *
     * @param service whose rules they would be
     * @param text the document
     * @return the rules
     * @throws InvalidRulesException if it could not
     */
    public RuleSet valid(ServiceName service, String text) throws InvalidRulesException {
        RulesReview review = reviewer.review("rules", text, service.text());
        return review.rules().orElseThrow(() -> new InvalidRulesException(review));
    }
}
