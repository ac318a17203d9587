package io.ratelimit.server.command;

import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.trial.Repetition;
import io.ratelimit.server.trial.RulesTrial;
import java.time.Clock;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what becomes of a request under rules that need not be in force anywhere. */
@Command(
        name = "explain",
        description = "Says what becomes of a request: which rules apply, whose buckets they charge, and the outcome."
                + " All buckets are full at first, and time stands still.",
        footerHeading = "%n",
        footer = "Ends with 0 if the request passes, 1 if it is refused, 2 if the rules or the request are not valid.")
final class ExplainCommand implements Callable<Integer> {

    private static final int PASSES = 0;
    private static final int REFUSED = 1;
    private static final int TROUBLE = 2;

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(paramLabel = RulesPlace.LABEL, description = "a rules file; - is standard input")
    @SuppressWarnings("NullAway.Init")
    private RulesPlace place;

    @Option(
            names = "--request",
            required = true,
            paramLabel = "REQUEST",
            description =
                    "method, path, then any of user, ip, operation, cost, header:NAME, cookie:NAME, query:NAME and"
                            + " attribute:NAME: 'GET /api/orders user=alice ip=192.0.2.7'")
    @SuppressWarnings("NullAway.Init")
    private String request;

    @Option(
            names = "--times",
            paramLabel = "N",
            description = "explains the last of N such requests at one moment, 1 to " + Repetition.MOST_TIMES
                    + " (default: ${DEFAULT-VALUE})")
    private int times = 1;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "what those before it are answered with, for rules that charge by the response"
                    + " (default: ${DEFAULT-VALUE})")
    private int status = 200;

    ExplainCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        Repetition repetition = repetition();
        DescribedRequest described = described();
        byte[] content = place.read();
        RulesReview review = new RulesReviewer().review(place.name(), content, null);
        if (review.rules().isEmpty()) {
            // An engine would name the first problem alone.
            review.findings().forEach(terminal.err()::println);
            return TROUBLE;
        }
        return explain(new RulesDocument(place.name(), content, "command", 1), described, repetition);
    }

    private int explain(RulesDocument rules, DescribedRequest described, Repetition repetition) {
        try {
            Explanation explanation = new RulesTrial(Clock.systemUTC()).explain(rules, described, repetition);
            terminal.out().println(explanation);
            return explanation.allowed() ? PASSES : REFUSED;
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }

    private DescribedRequest described() {
        try {
            return DescribedRequest.parse(request);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--request: " + e.getMessage(), e);
        }
    }

    private Repetition repetition() {
        try {
            return new Repetition(times, status);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), "--" + e.getMessage(), e);
        }
    }
}
