package io.ratelimit.benchmarks;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rules that never change.
 *
 * @param yaml the rules file
 */
public record RulesInMemory(String yaml) implements RulesSource {

    @Override
    public String location() {
        return "memory";
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
        return last == null
                ? Optional.of(new RulesDocument(location(), yaml.getBytes(StandardCharsets.UTF_8), "only", 1))
                : Optional.empty();
    }
}
