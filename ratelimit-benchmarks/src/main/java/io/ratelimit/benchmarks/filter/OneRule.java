package io.ratelimit.benchmarks.filter;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules of one rule that tells clients apart by address, as the other filters do, and never refuses. */
final class OneRule implements RulesSource {

    private static final String RULES = """
            service: benchmarks
            clients: [ip]
            rules:
              - { name: everyone, match: { path: /api/** }, limits: [1000000000 per 1s] }
            """;

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
        return last == null
                ? Optional.of(new RulesDocument(location(), RULES.getBytes(StandardCharsets.UTF_8), "only", 1))
                : Optional.empty();
    }
}
