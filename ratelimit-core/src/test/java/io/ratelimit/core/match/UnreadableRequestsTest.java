package io.ratelimit.core.match;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.StorePolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** Requests that throw at what one rule asks for. */
class UnreadableRequestsTest {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(CompiledRules.class);
    private final RequestContext request = mock(RequestContext.class);

    @BeforeEach
    void prepare() {
        log.start();
        logger.addAppender(log);
        when(request.method()).thenReturn("GET");
        when(request.path()).thenReturn("/");
        when(request.peerAddress()).thenReturn("192.0.2.1");
        when(request.cost()).thenReturn(RequestContext.NO_COST);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    static List<Throwable> faults() {
        return List.of(
                new NumberFormatException("secret"), new NoClassDefFoundError("secret"), new StackOverflowError());
    }

    private static CompiledRules compile(String rules) throws Exception {
        byte[] content = ("service: s\n" + rules).getBytes(StandardCharsets.UTF_8);
        return new CompiledRules(
                new RulesParser().parse(new RulesDocument("rules.yaml", content, "tag", 1)),
                List.of(),
                StoreDefaults.of(StorePolicy.UNSET),
                BucketFinder.NONE,
                Extensions.none());
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aKeyThatCannotBeReadIsMissingForItsRuleOnly(Throwable fault) throws Exception {
        when(request.cookie(anyString())).thenThrow(fault);
        CompiledRules rules = compile("""
                rules:
                  - { name: by-cookie, key: "cookie:client", limits: [5/m] }
                  - { name: by-address, key: ip, limits: [5/m] }
                """);
        for (int i = 0; i < 3; i++) {
            RequestCharges found = rules.chargesFor(request);
            assertThat(found.charges())
                    .extracting(charge -> charge.rule().rule().name())
                    .containsExactly("by-address");
            assertThat(found.unidentified()).extracting(Rule::name).containsExactly("by-cookie");
        }
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("the key of rule 'by-cookie'", fault.getClass().getName())
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aConditionThatCannotBeReadDoesNotHold(Throwable fault) throws Exception {
        when(request.attribute("tier")).thenThrow(fault);
        CompiledRules rules = compile("""
                clients: [ip]
                exempt: [{ attributes: { tier: gold } }]
                costs: [{ attributes: { tier: gold }, cost: 3 }]
                rules:
                  - { name: gold, match: { attributes: { tier: gold } }, limits: [5/m] }
                  - name: all
                    limits: [5/m]
                    overrides: [{ when: { attributes: { tier: gold } }, unlimited: true }]
                """);
        for (int i = 0; i < 3; i++) {
            List<RuleCharge> charges = rules.chargesFor(request).charges();
            assertThat(charges)
                    .extracting(charge -> charge.rule().bucket().name())
                    .containsExactly("all");
            assertThat(charges.get(0).charge().cost()).isEqualTo(1);
        }
        assertThat(warnings())
                .hasSize(4)
                .anyMatch(line -> line.contains("exempt[0]"))
                .anyMatch(line -> line.contains("costs[0]"))
                .anyMatch(line -> line.contains("match of rule 'gold'"))
                .anyMatch(line -> line.contains("overrides[0] of rule 'all'"))
                .noneMatch(line -> line.contains("secret"));
    }

    @Test
    void anAttributeWhoseTextCannotBeMadeIsOneThatIsMissing() throws Exception {
        when(request.attribute("tenant")).thenReturn(new Object() {
            @Override
            public String toString() {
                throw new IllegalStateException("secret");
            }
        });
        RequestCharges found = compile("""
                rules:
                  - { name: tenants, key: "attribute:tenant", limits: [5/m] }
                  - { name: by-address, key: ip, limits: [5/m] }
                """).chargesFor(request);
        assertThat(found.charges()).hasSize(1);
        assertThat(found.unidentified()).hasSize(1);
    }
}
