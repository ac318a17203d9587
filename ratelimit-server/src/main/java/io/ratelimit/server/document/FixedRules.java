package io.ratelimit.server.document;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Rules that never change. Immutable.
 *
 * @param document the rules as they were written
 */
public record FixedRules(RulesDocument document) implements RulesSource {

    /**
     * Rules that the program itself has written.
     *
     * @param location where they are said to come from
     * @param yaml the rules
     * @return their source
     */
    public static FixedRules of(String location, String yaml) {
        return new FixedRules(new RulesDocument(location, yaml.getBytes(StandardCharsets.UTF_8), "", 1));
    }

    @Override
    public String location() {
        return document.location();
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
        return last == null ? Optional.of(document) : Optional.empty();
    }
}
