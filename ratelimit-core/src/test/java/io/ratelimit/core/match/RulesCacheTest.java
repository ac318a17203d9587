package io.ratelimit.core.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.RateLimitListener;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.rules.LimitGrammar;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class RulesCacheTest {

    private static final Rule EXPORT = new Rule(
            "export",
            Condition.operation("export"),
            new Key.Client(),
            List.of(new LimitGrammar().parse("5/m")),
            List.of(),
            OnExceeded.REJECT,
            StorePolicy.UNSET);

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(RulesCache.class);
    private final RulesCache cache = new RulesCache(StorePolicy.UNSET, new RateLimitListener() {});

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private static RuleSet rules(String rule, long version) throws Exception {
        byte[] content = ("service: s\nrules: [" + rule + "]").getBytes(StandardCharsets.UTF_8);
        return new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", version));
    }

    private List<String> rulesForExport() {
        return cache.current().chargesFor(TestRequest.get("/x").operation("export")).charges().stream()
                .map(charge -> charge.rule().bucket().limits().toString())
                .toList();
    }

    @Test
    void aRuleThatOnlyHasTheNameOfLimitsInTheCodeReplacesThemAndIsReportedOnceForEachVersion() throws Exception {
        RuleSet first = rules("{ name: export, match: { path: /export }, limits: [9/m] }", 1);
        cache.replace(first);
        cache.declare(EXPORT);
        assertThat(rulesForExport()).isEmpty();
        cache.replace(first);
        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .contains("Rules of s", "rule 'export'", "[export]", "rename the rule");
        cache.replace(rules("{ name: export, match: { path: /exports }, limits: [9/m] }", 2));
        assertThat(log.list).hasSize(2);
        assertThat(cache.lint()).hasSize(1);
    }

    @Test
    void aLimitOfTheCodeThatCannotBeCountedIsRefusedBeforeARequestComes() {
        Limit log = new Limit(20_000, Duration.ofHours(1), 20_000, Algorithm.SLIDING_WINDOW_LOG);
        Rule rule = new Rule(
                "log",
                Condition.operation("log"),
                new Key.Client(),
                List.of(log),
                List.of(),
                OnExceeded.REJECT,
                StorePolicy.UNSET);
        assertThatThrownBy(() -> cache.declare(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000");
        assertThat(cache.current()
                        .chargesFor(TestRequest.get("/x").operation("log"))
                        .charges())
                .isEmpty();
    }

    @Test
    void whatIsLikelyAMistakeIsLoggedWhenRulesCome() throws Exception {
        cache.replace(rules("{ name: closed, match: { path: /admin/** }, limits: 0 }", 1));
        assertThat(log.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("Rules of s: rule 'closed' refuses every request");
    }

    @Test
    void aRuleForTheOperationReplacesTheLimitsInTheCodeWithoutAWord() throws Exception {
        cache.declare(EXPORT);
        cache.replace(rules("{ name: export, match: { operation: export }, limits: [9/m] }", 1));
        assertThat(rulesForExport()).containsExactly("[9 per 1m]");
        assertThat(log.list).isEmpty();
    }
}
