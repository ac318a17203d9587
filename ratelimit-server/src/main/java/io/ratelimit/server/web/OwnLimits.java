package io.ratelimit.server.web;

import com.google.common.io.Resources;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.RulesSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The rules that the service's own clients are limited by, with the proxies before it. */
final class OwnLimits implements RulesSource {

    private static final String NAME = "own-limits.yaml";

    private final RulesDocument document;

    /**
     * Reads the rules.
     *
     * @throws IllegalArgumentException if a proxy is no address and no range: the service must not start without limits
     */
    OwnLimits(List<String> trustedProxies) {
        this.document = document(trustedProxies);
        try {
            new RulesParser().parse(document);
        } catch (RulesException e) {
            throw new IllegalArgumentException(
                    "the trusted proxies are " + trustedProxies + ": "
                            + e.problems().get(0).message(),
                    e);
        }
    }

    private static RulesDocument document(List<String> trustedProxies) {
        String proxies = trustedProxies.stream()
                .map(proxy -> '"' + proxy.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
                .collect(Collectors.joining(", "));
        try {
            String rules = Resources.toString(Resources.getResource(NAME), StandardCharsets.UTF_8);
            String all = rules + "trustedProxies: [" + proxies + "]\n";
            return new RulesDocument("classpath:" + NAME, all.getBytes(StandardCharsets.UTF_8), "own", 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
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
