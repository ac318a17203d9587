package io.ratelimit.server.web;

import com.google.common.io.Resources;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The rules that the service's own clients are limited by, with the proxies before it. */
final class OwnLimits implements RulesSource {

    private static final String NAME = "own-limits.yaml";

    private final List<String> trustedProxies;

    OwnLimits(List<String> trustedProxies) {
        this.trustedProxies = List.copyOf(trustedProxies);
    }

    @Override
    public String location() {
        return "classpath:" + NAME;
    }

    @Override
    public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException {
        if (last != null) {
            return Optional.empty();
        }
        String rules = Resources.toString(Resources.getResource(NAME), StandardCharsets.UTF_8);
        String all = rules + "trustedProxies: [" + String.join(", ", trustedProxies) + "]\n";
        return Optional.of(new RulesDocument(location(), all.getBytes(StandardCharsets.UTF_8), "own", 1));
    }
}
