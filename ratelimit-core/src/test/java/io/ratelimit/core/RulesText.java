package io.ratelimit.core;

import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rules that a test writes down. */
public record RulesText(String text) implements RulesSource {

    @Override
    public String location() {
        return "rules.yaml";
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
        return Optional.of(new RulesDocument(location(), text.getBytes(StandardCharsets.UTF_8), "tag", 1));
    }
}
