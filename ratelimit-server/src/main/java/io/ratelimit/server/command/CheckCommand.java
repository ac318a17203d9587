package io.ratelimit.server.command;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.Finding;
import io.ratelimit.server.document.Finding.Severity;
import io.ratelimit.server.document.RulesReview;
import io.ratelimit.server.document.RulesReviewer;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorTree;
import io.ratelimit.server.envoy.descriptor.DescriptorsParser;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Says what is wrong in rules, and what is likely a mistake. */
@Command(
        name = "check",
        description = {
            "Says what is wrong in rules files, and what is likely a mistake: one line for each finding.",
            "With --descriptors, says what is wrong in descriptor files, or how many limits they have."
        },
        footerHeading = "%n",
        footer = "Ends with 0 if there are no errors, 1 if there are, 2 if a file cannot be read.")
final class CheckCommand implements Callable<Integer> {

    private static final int FINE = 0;
    private static final int ERRORS = 1;
    private static final int TROUBLE = 2;

    private static final String NO_RULES =
            "these are descriptors of Envoy's rate limit service, and no rules; check them with --descriptors";

    private final Terminal terminal;

    @Spec
    @SuppressWarnings("NullAway.Init")
    private CommandSpec spec;

    @Parameters(
            arity = "1..*",
            paramLabel = RulesPlace.LABEL,
            description = "rules files, or descriptor files and directories of them; - is standard input")
    private List<RulesPlace> places = new ArrayList<>();

    @Option(
            names = "--descriptors",
            description =
                    "the files are those of Envoy's rate limit service, and are read together as a daemon reads them")
    private boolean descriptors;

    @Option(names = "--strict", description = "ends with 1 for warnings as well")
    private boolean strict;

    @Option(names = "--json", description = "prints the findings as a JSON array")
    private boolean json;

    @Option(names = "--service", paramLabel = "NAME", description = "the service that the rules must be for")
    private @Nullable String service;

    CheckCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (descriptors && service != null) {
            throw new ParameterException(
                    spec.commandLine(), "--service is for rules, and --descriptors for descriptor files: name one");
        }
        List<Finding> findings = new ArrayList<>();
        boolean isWhole = descriptors ? reviewDescriptors(findings) : reviewRules(findings);
        if (json) {
            terminal.out().println(array(findings).toPrettyString());
        } else {
            findings.forEach(terminal.out()::println);
        }
        int status = findings.stream().anyMatch(this::isFatal) ? ERRORS : FINE;
        return isWhole ? status : TROUBLE;
    }

    /** False where a file cannot be read. */
    private boolean reviewRules(List<Finding> findings) {
        return eachPlace(place -> {
            byte[] content = place.read();
            RulesReview review = new RulesReviewer().review(place.name(), content, service);
            if (review.rules().isEmpty() && DescriptorsParser.isMeant(content)) {
                findings.add(new Finding(Severity.ERROR, place.name(), 0, 0, null, null, NO_RULES));
            } else {
                findings.addAll(review.findings());
            }
        });
    }

    private boolean reviewDescriptors(List<Finding> findings) {
        DescriptorsCheck check = new DescriptorsCheck();
        boolean isWhole = eachPlace(check::add);
        try {
            DescriptorSet read = check.read();
            if (!json) {
                read.domains().forEach(this::tell);
            }
        } catch (RulesException e) {
            e.problems().stream().map(Finding::of).forEach(findings::add);
        }
        return isWhole;
    }

    private void tell(String domain, DescriptorTree tree) {
        terminal.out().println(Printable.escaped(tree.location() + ": domain " + domain + ", " + tree.sizeInWords()));
    }

    private boolean eachPlace(Consumer<RulesPlace> review) {
        boolean isWhole = true;
        for (RulesPlace place : places) {
            try {
                review.accept(place);
            } catch (CommandException e) {
                // The others are checked all the same.
                terminal.err().println("ratelimit-server: " + e.getMessage());
                isWhole = false;
            }
        }
        return isWhole;
    }

    private boolean isFatal(Finding finding) {
        return finding.severity() == Severity.ERROR || (strict && finding.severity() == Severity.WARNING);
    }

    private static ArrayNode array(List<Finding> findings) {
        ArrayNode array = new JsonMapper().createArrayNode();
        for (Finding finding : findings) {
            array.addObject()
                    .put("severity", finding.severity().name().toLowerCase(Locale.ROOT))
                    .put("location", finding.location())
                    .put("line", finding.line())
                    .put("column", finding.column())
                    .put("rule", finding.rule())
                    .put("field", finding.field())
                    .put("message", finding.message());
        }
        return array;
    }
}
