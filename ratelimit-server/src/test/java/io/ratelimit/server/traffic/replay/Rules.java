package io.ratelimit.server.traffic.replay;

import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import java.nio.charset.StandardCharsets;

/** Rules that a test writes down. */
final class Rules {

    private Rules() {}

    static RuleSet of(String yaml) {
        try {
            return new RulesParser()
                    .parse(new RulesDocument("rules.yaml", yaml.getBytes(StandardCharsets.UTF_8), "tag", 1));
        } catch (RulesException e) {
            throw new AssertionError(e.problems().toString(), e);
        }
    }
}
