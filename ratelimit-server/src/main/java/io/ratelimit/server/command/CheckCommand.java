package io.ratelimit.server.command;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.ratelimit.server.document.Finding;
import io.ratelimit.server.document.Finding.Severity;
import io.ratelimit.server.document.RulesReviewer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what is wrong in rules, and what is likely a mistake. */
@Command(
        name = "check",
        description = "Says what is wrong in rules files, and what is likely a mistake: one line for each finding.",
        footerHeading = "%n",
        footer = "Ends with 0 if there are no errors, 1 if there are, 2 if a file cannot be read.")
final class CheckCommand implements Callable<Integer> {

    private static final int FINE = 0;
    private static final int ERRORS = 1;
    private static final int TROUBLE = 2;

    private final Terminal terminal;

    @Parameters(arity = "1..*", paramLabel = RulesPlace.LABEL, description = "rules files; - is standard input")
    private List<RulesPlace> places = new ArrayList<>();

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
        List<Finding> findings = new ArrayList<>();
        int status = FINE;
        for (RulesPlace place : places) {
            try {
                findings.addAll(new RulesReviewer()
                        .review(place.name(), place.read(), service)
                        .findings());
            } catch (CommandException e) {
                // The others are checked all the same.
                terminal.err().println("ratelimit-server: " + e.getMessage());
                status = TROUBLE;
            }
        }
        if (json) {
            terminal.out().println(array(findings).toPrettyString());
        } else {
            findings.forEach(terminal.out()::println);
        }
        return status == FINE && findings.stream().anyMatch(this::isFatal) ? ERRORS : status;
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
