package io.ratelimit.server.api;

import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.explain.LimitExplanation;
import io.ratelimit.core.explain.RuleExplanation;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.server.access.DeniedException;
import io.ratelimit.server.access.Permission;
import io.ratelimit.server.publish.InvalidRulesException;
import io.ratelimit.server.publish.Publisher;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.ServiceName;
import io.ratelimit.server.trial.Repetition;
import io.ratelimit.server.trial.RulesTrial;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.SecurityContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What would become of a request, under the rules in force or a draft. */
@Path("v1/services/{service}/explain")
public final class ExplainResource {

    private static final int DEFAULT_STATUS = 200;

    private final RuleSets ruleSets;
    private final Publisher publisher;
    private final RulesTrial trial;

    /**
     * Makes the resource.
     *
     * @param ruleSets where rules are
     * @param publisher says whether a draft is valid
     * @param trial explains
     */
    public ExplainResource(RuleSets ruleSets, Publisher publisher, RulesTrial trial) {
        this.ruleSets = ruleSets;
        this.publisher = publisher;
        this.trial = trial;
    }

    /** Explains a request to a service none of whose clients has spent anything. */
    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Produces(MediaType.APPLICATION_JSON)
    public Explained explain(
            @PathParam("service") ServiceName service, @Nullable Question question, @Context SecurityContext security)
            throws DeniedException, InvalidRulesException {
        BearerAuthentication.caller(security).require(Permission.VIEW, service);
        if (question == null || question.request() == null) {
            throw new IllegalArgumentException(
                    "the field 'request' is missing, such as \"GET /api/orders user=alice\"");
        }
        String rules = question.rules() == null ? inForce(service) : draft(service, question.rules());
        byte[] content = rules.getBytes(StandardCharsets.UTF_8);
        return Explained.of(trial.explain(
                new RulesDocument("rules", content, "trial", 1),
                DescribedRequest.parse(question.request()),
                question.repetition()));
    }

    private String inForce(ServiceName service) {
        return ruleSets.current(service).map(PublishedRules::text).orElseThrow(() -> Missing.rules(service));
    }

    private String draft(ServiceName service, String text) throws InvalidRulesException {
        publisher.valid(service, text);
        return text;
    }

    /**
     * What is asked.
     *
     * @param request the request in words (see {@link DescribedRequest})
     * @param rules a draft, or null for the rules in force
     * @param times the how many-th such request at one moment it is, from 1, or null for the first
     * @param status what those before it are answered with, or null for 200
     */
    public record Question(
            @Nullable String request,
            @Nullable String rules,
            @Nullable Integer times,
            @Nullable Integer status) {

        Repetition repetition() {
            return new Repetition(times == null ? 1 : times, status == null ? DEFAULT_STATUS : status);
        }
    }

    /**
     * The explanation.
     *
     * @param request method and path
     * @param allowed whether it would pass
     * @param outcome in one sentence what would become of it
     * @param exempt which condition exempts it, or null
     * @param rules what each rule makes of it
     */
    record Explained(
            String request,
            boolean allowed,
            String outcome,
            @Nullable String exempt,
            List<ExplainedRule> rules) {

        static Explained of(Explanation explanation) {
            return new Explained(
                    explanation.request(),
                    explanation.allowed(),
                    explanation.outcome(),
                    explanation.exempt(),
                    explanation.rules().stream().map(ExplainedRule::of).toList());
        }
    }

    /** What one rule makes of the request; see {@link RuleExplanation}. */
    record ExplainedRule(
            String rule,
            boolean applies,
            boolean lacksKey,
            String reason,
            List<String> overrides,
            @Nullable String key,
            @Nullable String cost,
            List<ExplainedLimit> limits,
            @Nullable String note) {

        static ExplainedRule of(RuleExplanation rule) {
            return new ExplainedRule(
                    rule.rule(),
                    rule.applies(),
                    rule.lacksKey(),
                    rule.reason(),
                    rule.overrides(),
                    rule.key(),
                    rule.cost(),
                    rule.limits().stream().map(ExplainedLimit::of).toList(),
                    rule.note());
        }
    }

    /** How one limit stands; see {@link LimitExplanation}. */
    record ExplainedLimit(
            String policy,
            String limit,
            long remaining,
            boolean admits,
            @Nullable Long retryAfterMillis) {

        private static final long NANOS_BELOW_A_MILLISECOND = 999_999;

        static ExplainedLimit of(LimitExplanation limit) {
            Duration wait = limit.retryAfter();
            return new ExplainedLimit(
                    limit.policy(),
                    limit.limit().toString(),
                    limit.remaining(),
                    limit.admits(),
                    wait == null
                            ? null
                            : wait.plusNanos(NANOS_BELOW_A_MILLISECOND).toMillis());
        }
    }
}
