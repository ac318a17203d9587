package io.ratelimit.server.console;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.document.RulesMerge;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.KnownRules;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.Draft;
import io.ratelimit.server.rules.LostUpdateException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import jakarta.ws.rs.core.MultivaluedMap;
import jakarta.ws.rs.core.Response;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The way of a change from the editor to its publication: edited, reviewed, published. What somebody has typed is kept
 * whichever way that goes. Thread-safe.
 */
public final class Proposals {

    private static final int UNPROCESSABLE = 422;

    /** A tag begins with the number of its version. */
    private static final Pattern NUMBER = Pattern.compile("(\\d{1,18})-.*");

    private final RuleSets ruleSets;
    private final Publisher publisher;
    private final KnownRules known;
    private final RulesReviewer reviewer = new RulesReviewer();
    private final RulesMerge merge = new RulesMerge();

    /**
     * Makes the way.
     *
     * @param ruleSets where rules are
     * @param publisher publishes them
     * @param known the rules of versions
     */
    public Proposals(RuleSets ruleSets, Publisher publisher, KnownRules known) {
        this.ruleSets = ruleSets;
        this.publisher = publisher;
        this.known = known;
    }

    /** What a form carries, its text as it was before a browser has sent it, which makes each line end with CR LF. */
    Proposal posted(ServiceName service, MultivaluedMap<String, String> fields) {
        Proposal posted = Proposal.of(fields);
        String text = posted.text().replace("\r\n", "\n");
        boolean hadReturns = ruleSets.current(service)
                .filter(rules -> rules.text().contains("\r\n"))
                .isPresent();
        return new Proposal(
                hadReturns ? text.replace("\n", "\r\n") : text, posted.tag(), posted.restoredFrom(), posted.comment());
    }

    /** What a text has to be said about it. */
    FindingsView check(ServiceName service, String text) {
        return FindingsView.of(reviewer.review("the rules", text, service.text()));
    }

    /** The editor with a text in it that is to replace a version, which its author has seen. */
    private EditorPage edit(
            Visit visit,
            Proposal proposal,
            String text,
            Optional<PublishedRules> base,
            @Nullable DiffView theirs,
            boolean isMerged) {
        return new EditorPage(
                visit.shell(),
                visit.service(),
                text,
                proposal.comment(),
                base.map(PublishedRules::version).orElse(null),
                check(visit.service(), text),
                theirs,
                isMerged);
    }

    /**
     * The editor for a text whose author has now seen what others have published: with both changes in it, where they do not
     * touch each other.
     */
    EditorPage editor(Visit visit, Proposal proposal) {
        Optional<PublishedRules> current = ruleSets.current(visit.service());
        Optional<PublishedRules> replaced = replaced(visit, proposal, current);
        Optional<String> merged = replaced.flatMap(
                base -> current.flatMap(now -> merge.merged(base.text(), proposal.text(), now.text())));
        return edit(
                visit,
                proposal,
                merged.orElse(proposal.text()),
                current,
                theirs(replaced, current),
                merged.isPresent());
    }

    /** The page that shows what would change; or, where that cannot be published, the one on which it can be mended. */
    Response review(Visit visit, Proposal proposal, @Nullable String error) {
        Optional<PublishedRules> current = ruleSets.current(visit.service());
        if (!proposal.tag().equals(Proposal.tagOf(current.map(PublishedRules::version)))) {
            return conflict(visit, proposal);
        }
        RulesReview review =
                reviewer.review("the rules", proposal.text(), visit.service().text());
        if (review.rules().isEmpty()) {
            return invalid(visit, proposal);
        }
        RuleSet open = RuleSet.open(visit.service().text());
        Optional<RuleSet> before = current.isPresent() ? current.flatMap(known::of) : Optional.of(open);
        ReviewPage page = new ReviewPage(
                visit,
                proposal,
                nextNumber(visit.service()),
                DiffView.between(
                        "Your changes", current.map(PublishedRules::text).orElse(""), proposal.text()),
                before.map(rules -> ChangeInWords.between(rules, review.rules().get()))
                        .orElse(null),
                FindingsView.of(review),
                error);
        return Response.status(error == null ? 200 : UNPROCESSABLE).entity(page).build();
    }

    /** Publishes, and goes to the service's page. */
    Response publish(Visit visit, Proposal proposal) throws DeniedException {
        String comment = proposal.comment();
        if (comment.length() > Draft.LONGEST_COMMENT) {
            return review(
                    visit,
                    proposal,
                    "The comment has " + comment.length() + " characters. It may have " + Draft.LONGEST_COMMENT
                            + ": shorten it.");
        }
        try {
            RulesVersion version = stored(visit, proposal);
            return Response.seeOther(URI.create(visit.path() + "?published=" + version.number()))
                    .build();
        } catch (LostUpdateException e) {
            return conflict(visit, proposal);
        } catch (InvalidRulesException e) {
            return invalid(visit, proposal);
        }
    }

    private RulesVersion stored(Visit visit, Proposal proposal)
            throws DeniedException, LostUpdateException, InvalidRulesException {
        Long number = proposal.restoredFrom();
        if (number == null) {
            return publisher.publish(
                    visit.service(), proposal.text(), proposal.comment(), proposal.expectation(), visit.caller());
        }
        PublishedRules earlier =
                ruleSets.version(visit.service(), number).orElseThrow(() -> ErrorPages.noVersion(visit, number));
        return publisher.restore(earlier, proposal.comment(), proposal.expectation(), visit.caller());
    }

    private Response invalid(Visit visit, Proposal proposal) {
        return Response.status(UNPROCESSABLE)
                .entity(edit(visit, proposal, proposal.text(), base(visit.service(), proposal.tag()), null, false))
                .build();
    }

    private Response conflict(Visit visit, Proposal proposal) {
        Optional<PublishedRules> current = ruleSets.current(visit.service());
        ConflictPage page = new ConflictPage(
                visit,
                proposal,
                current.map(PublishedRules::version).orElse(null),
                theirs(replaced(visit, proposal, current), current));
        return Response.status(Response.Status.PRECONDITION_FAILED).entity(page).build();
    }

    /** The version that a text was made from, where another is in force now. */
    private Optional<PublishedRules> replaced(Visit visit, Proposal proposal, Optional<PublishedRules> current) {
        boolean isInForce = proposal.tag().equals(Proposal.tagOf(current.map(PublishedRules::version)));
        return isInForce ? Optional.empty() : base(visit.service(), proposal.tag());
    }

    /** What others have changed since a version that they have replaced. */
    private static @Nullable DiffView theirs(Optional<PublishedRules> replaced, Optional<PublishedRules> current) {
        return replaced.flatMap(base -> current.map(now -> DiffView.between(
                        "What " + now.version().author() + " has changed since", base.text(), now.text())))
                .orElse(null);
    }

    /** The version that a text was made from, by its tag. */
    Optional<PublishedRules> base(ServiceName service, String tag) {
        Matcher number = NUMBER.matcher(tag);
        return number.matches()
                ? ruleSets.version(service, Long.parseLong(number.group(1)))
                        .filter(rules -> rules.version().tag().equals(tag))
                : Optional.empty();
    }

    /** Numbers go on though rules were taken out. */
    private long nextNumber(ServiceName service) {
        return ruleSets.history(service, Long.MAX_VALUE, 1).stream()
                        .mapToLong(RulesVersion::number)
                        .findFirst()
                        .orElse(0)
                + 1;
    }
}
