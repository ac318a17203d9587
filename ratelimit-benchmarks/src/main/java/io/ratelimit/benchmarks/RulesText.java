package io.ratelimit.benchmarks;

import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A rules file for many services, each below a path of its own, so that one rule applies to a request.
 *
 * @param clients how clients are told apart, such as {@code user}
 * @param rules how many rules, at least 1
 * @param limits the limits of each rule
 */
public record RulesText(String clients, int rules, List<Limit> limits) {

    /**
     * A path that one rule matches, in the middle of the file.
     *
     * @return the path
     */
    public String path() {
        return "/api/service-" + rules / 2 + "/orders/4711";
    }

    String toYaml() {
        String written = limits.stream().map(RulesText::written).collect(Collectors.joining(", "));
        return IntStream.range(0, rules)
                .mapToObj(i -> "  - { name: service-" + i + ", match: { path: /api/service-" + i + "/** }, limits: ["
                        + written + "] }\n")
                .collect(Collectors.joining("", "service: benchmarks\nclients: [\"" + clients + "\"]\nrules:\n", ""));
    }

    private static String written(Limit limit) {
        return limit.tokens() + " per " + limit.period().toSeconds() + "s";
    }
}
