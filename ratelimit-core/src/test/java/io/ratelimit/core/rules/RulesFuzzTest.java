package io.ratelimit.core.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.RateLimitListener;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.lint.RulesLint;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Rules documents and paths that nobody would write: mutations of a document that uses every word. Whatever they say,
 * the answer is rules or a {@link RulesException}, soon. {@code -Dfuzz.seconds=600} for a long run; the seed of a run is
 * in its failures.
 */
class RulesFuzzTest {

    private static final long SECONDS = Long.getLong("fuzz.seconds", 3);
    private static final Duration SLOWEST = Duration.ofSeconds(5);

    private static final String EVERY_WORD = """
            service: orders
            clients: [user, "header:X-Api-Key", "cookie:sid", "attribute:tenant", bearer, ip]
            trustedProxies: [10.0.0.0/8, "2001:db8::/32"]
            forwardedHeader: forwarded
            ipv6Prefix: 56
            sharing: host
            onFailure: closed
            storeTimeout: 15ms
            exempt: [{ path: /health }, { ip: 192.0.2.0/24 }]
            costs:
              - { path: /api/reports/**, methods: [GET], cost: 10 }
              - { path: "/api/{id}/*", resolver: page-size }
            rules:
              - name: everyone
                match: { path: [/api/**, /v2/*], attributes: { tier: [gold, silver] } }
                key: { any: [user, ip] }
                limits: [20/s burst 40, 500/h, 5 per PT15M, { tokens: 7, per: 1mo, algorithm: fixed-window, align: clock, zone: Europe/Berlin }]
                charge: { when: response, status: [401, 5xx] }
                onExceeded: { status: 503 }
                overrides:
                  - { when: { user: ops }, unlimited: true }
                  - { when: { operation: export }, limits: [{ tokens: 3, per: 1m, algorithm: gcra, minInterval: 5ms, penalty: { after: 3, for: 10m }, chargeRefused: true }] }
              - name: others
                limits:
                  - { tokens: 60, per: 1h, algorithm: sliding-window-counter, precision: 60 }
                  - { tokens: 600, per: 1d, algorithm: sliding-window-log }
                  - { tokens: 9, per: 1s, algorithm: warm-up, warmUp: 30s }
                  - { tokens: 5, algorithm: concurrency }
                  - { tokens: 9, per: 1w, refill: interval, burst: 20 }
                onExceeded: shadow
            """;

    private static final List<String> SCRAPS = List.of(
            "{",
            "}",
            "[",
            "]",
            ":",
            ",",
            "- ",
            "\n",
            "\t",
            "  ",
            "\"",
            "'",
            "#",
            "&a ",
            "*a",
            "!!int ",
            "|",
            ">",
            "---\n",
            "...",
            "null",
            "~",
            "true",
            "-1",
            "0",
            "1e9",
            ".inf",
            "0x10",
            "9223372036854775808",
            "\u0000",
            "\ud800",
            "\ufeff",
            "/**/**",
            "%2e",
            ";",
            "..",
            "unlimited",
            "burst",
            "per",
            "<<: *a",
            "? ",
            "@",
            "`",
            "P1D",
            "mo");

    @Test
    void theDocumentThatIsMutatedIsGood() throws RulesException {
        byte[] content = EVERY_WORD.getBytes(StandardCharsets.UTF_8);
        RuleSet rules = new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1));
        assertThat(rules.rules()).hasSize(2);
    }

    @Test
    void aDocumentIsReadOrRefusedAndNothingElse() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        RulesCache cache = new RulesCache(StorePolicy.UNSET, new RateLimitListener() {});
        long end = System.nanoTime() + Duration.ofSeconds(SECONDS).toNanos();
        for (long run = 0; System.nanoTime() - end < 0; run++) {
            String text = mutated(random);
            long started = System.nanoTime();
            try {
                tryOut(cache, text, run, random);
            } catch (RuntimeException | StackOverflowError e) {
                throw new AssertionError("seed " + seed + ", run " + run + ":\n" + text, e);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - started))
                    .as("seed %d, run %d:%n%s", seed, run, text)
                    .isLessThan(SLOWEST);
        }
    }

    private static void tryOut(RulesCache cache, String text, long version, Random random) {
        RuleSet rules;
        try {
            byte[] content = text.getBytes(StandardCharsets.UTF_8);
            rules = new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", version));
        } catch (RulesException documented) {
            assertThat(documented.problems()).isNotEmpty();
            return;
        }
        try {
            cache.replace(rules);
        } catch (IllegalArgumentException documented) {
            return;
        }
        new RulesLint().check(rules);
        for (int i = 0; i < 20; i++) {
            cache.current().chargesFor(TestRequest.get(path(random)).user("ops"));
        }
    }

    private static String mutated(Random random) {
        StringBuilder text = new StringBuilder(EVERY_WORD);
        for (int edits = random.nextInt(6); edits >= 0; edits--) {
            int at = random.nextInt(text.length());
            int to = Math.min(text.length(), at + random.nextInt(30));
            switch (random.nextInt(5)) {
                case 0 -> text.delete(at, to);
                case 1 -> text.insert(at, SCRAPS.get(random.nextInt(SCRAPS.size())));
                case 2 -> text.replace(at, to, SCRAPS.get(random.nextInt(SCRAPS.size())));
                case 3 -> text.insert(random.nextInt(text.length()), text.substring(at, to));
                default -> text.setCharAt(at, (char) random.nextInt(0x250));
            }
        }
        return text.toString();
    }

    private static String path(Random random) {
        StringBuilder path = new StringBuilder("/");
        for (int parts = random.nextInt(12); parts > 0; parts--) {
            path.append(
                    List.of("api", "/", "v2", "..", ".", "%2f", ";a=b", "reports", "\ud800", " ", "\u0000", "*", "**")
                            .get(random.nextInt(13)));
            path.append(random.nextBoolean() ? "/" : "");
        }
        return path.toString();
    }
}
