package io.ratelimit.junit;

import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.RulesSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;

/**
 * The engine of one test.
 *
 * @param engine the engine, started
 * @param clock its clocks
 */
record TestedEngine(RateLimitEngine engine, ManualTimeSource clock) {

    /**
     * Starts an engine.
     *
     * @param builder what the test adds to an engine; rules and clocks are set here
     * @throws ExtensionConfigurationException if the rules are refused: an engine of an application would go on without
     */
    static TestedEngine start(RateLimitEngineBuilder builder, RulesDocument rules) {
        check(rules);
        ManualTimeSource clock = new ManualTimeSource();
        RateLimitEngine engine =
                builder.rules(new OneDocument(rules)).timeSource(clock).build();
        engine.start();
        String error = engine.rulesStatus().error();
        if (error != null) {
            engine.close();
            throw refused(List.of(error));
        }
        return new TestedEngine(engine, clock);
    }

    /** The engine would tell the first problem alone. */
    private static void check(RulesDocument rules) {
        try {
            new RulesParser().parse(rules);
        } catch (RulesException e) {
            throw refused(e.problems().stream().map(RuleProblem::toString).toList());
        }
    }

    private static ExtensionConfigurationException refused(List<String> problems) {
        return new ExtensionConfigurationException(
                problems.stream().collect(Collectors.joining("\n  ", "The rules of the test are refused:\n  ", "")));
    }

    private record OneDocument(RulesDocument document) implements RulesSource {

        @Override
        public String location() {
            return document.location();
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
            return last == null ? Optional.of(document) : Optional.empty();
        }
    }
}
