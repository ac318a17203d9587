package io.ratelimit.server.publish;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.rules.PublishedRules;
import io.ratelimit.server.rules.RuleSets;
import io.ratelimit.server.rules.RulesVersion;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The rules of versions, read once: a version never changes. What was asked for last is kept, up to 100,000 rules.
 * Thread-safe.
 */
public final class KnownRules {

    private static final long MOST_RULES = 100_000;

    private final RulesParser parser = new RulesParser();
    private final RuleSets ruleSets;
    private final Cache<String, Optional<RuleSet>> byHash = CacheBuilder.newBuilder()
            .concurrencyLevel(1)
            .maximumWeight(MOST_RULES)
            .weigher((String hash, Optional<RuleSet> rules) ->
                    1 + rules.map(known -> known.rules().size()).orElse(0))
            .build();

    /**
     * Makes a memory that holds nothing yet.
     *
     * @param ruleSets where versions are
     */
    public KnownRules(RuleSets ruleSets) {
        this.ruleSets = ruleSets;
    }

    /**
     * The rules of a version.
     *
     * @param version the version
     * @return its rules; empty where its text, valid when it was published, is not any more
     */
    public Optional<RuleSet> of(RulesVersion version) {
        Optional<RuleSet> known = byHash.getIfPresent(version.hash());
        return known != null
                ? known
                : ruleSets.version(version.service(), version.number()).flatMap(this::of);
    }

    /**
     * The rules of a version whose text is at hand.
     *
     * @param rules the version
     * @return its rules; empty where its text, valid when it was published, is not any more
     */
    public Optional<RuleSet> of(PublishedRules rules) {
        String hash = rules.version().hash();
        Optional<RuleSet> known = byHash.getIfPresent(hash);
        if (known != null) {
            return known;
        }
        Optional<RuleSet> parsed = parse(rules.text());
        byHash.put(hash, parsed);
        return parsed;
    }

    /**
     * The rules of a version that is in force.
     *
     * @param rules the version
     * @return its rules
     * @throws UnreadableVersionException if its text is not valid any more
     */
    public RuleSet require(PublishedRules rules) {
        return of(rules).orElseThrow(() -> new UnreadableVersionException(rules.version()));
    }

    private Optional<RuleSet> parse(String text) {
        try {
            return Optional.of(
                    parser.parse(new RulesDocument("the rules", text.getBytes(StandardCharsets.UTF_8), "page", 1)));
        } catch (RulesException e) {
            return Optional.empty();
        }
    }
}
