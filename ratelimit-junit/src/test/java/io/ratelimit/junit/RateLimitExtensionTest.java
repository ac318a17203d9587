package io.ratelimit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.testkit.engine.EventType.FINISHED;

import io.ratelimit.RateLimiter;
import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.core.explain.DescribedRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** The extension, seen from outside: classes with tests are run, and how they end is looked at. */
class RateLimitExtensionTest {

    private static final String ONE_AN_HOUR =
            "service: s\nrules: [{ name: one, match: { path: /** }, key: service, limits: [1/h] }]";

    @ExtendWith(RateLimitExtension.class)
    @RateLimitRules(yaml = ONE_AN_HOUR)
    static class Lively {

        static final Map<String, RateLimitEngine> ENGINES = new ConcurrentHashMap<>();

        @BeforeEach
        void spend(RulesUnderTest rules) {
            rules.request("GET /").isAllowed();
        }

        @AfterEach
        void isStillOpen(RateLimitEngine engine) {
            assertThat(engine.isReady()).isTrue();
        }

        @RepeatedTest(2)
        void whatOneTestSpendsIsNotMissingInTheNext(RulesUnderTest rules, RateLimitEngine engine) {
            ENGINES.put("test " + ENGINES.size(), engine);
            rules.request("GET /").isRefusedBy("one").mayRetryAfter(Duration.ofHours(1));
        }

        @ParameterizedTest
        @ValueSource(strings = {"/a", "/b"})
        void theArgumentsOfATestStandBesideTheParameters(String path, RulesUnderTest rules) {
            rules.request("GET " + path).isRefused();
        }

        @Test
        void partsOfOneTestBelongTogether(
                RateLimitEngine engine,
                RateLimiter limiter,
                TokenBucketRateLimiter sameLimiter,
                TimeSource time,
                ManualTimeSource clock) {
            assertThat(limiter).isSameAs(engine.limiter()).isSameAs(sameLimiter);
            assertThat(time).isSameAs(engine.timeSource()).isSameAs(clock);
            clock.advance(Duration.ofHours(1));
            assertThat(limiter.allowRequest(DescribedRequest.parse("GET /"))).isTrue();
        }

        @Nested
        class Inside {

            @Test
            void theRulesOfTheClassAroundHold(RulesUnderTest rules) {
                rules.request("GET /").isRefusedBy("one");
            }

            @Test
            @RateLimitRules(yaml = "service: s\nrules: []")
            void thoseOfTheMethodHoldInTheirPlace(RulesUnderTest rules) {
                rules.request("GET /").isNotLimited();
            }
        }
    }

    @Test
    void eachTestHasAnEngineOfItsOwnWhichEndsWithIt() {
        assertThat(run(Lively.class)).hasSize(7).containsOnly("");
        assertThat(Lively.ENGINES.values()).doesNotHaveDuplicates().hasSize(2).noneMatch(RateLimitEngine::isReady);
    }

    @ExtendWith(RateLimitExtension.class)
    static class Unnamed {

        @Test
        void rulesAreWhereTheFilterLooks(RateLimitEngine engine) {
            assertThat(engine.rules().service()).isEqualTo("orders");
        }
    }

    @Test
    void withoutAnAnnotationTheRulesOfTheClassPathAreTested() {
        assertThat(run(Unnamed.class)).containsExactly("");
    }

    @ExtendWith(RateLimitExtension.class)
    static class Wrong {

        @Test
        @RateLimitRules(yaml = """
                service: s
                rules:
                  - { name: a, macth: { path: /** }, limits: [1/h] }
                  - { name: b, match: { path: /** }, limits: [1/fortnight] }
                """)
        void refused() {}

        @Test
        @RateLimitRules(yaml = "service: s\nrules: [{ name: huge, limits: [999999999999997 per 36499d] }]")
        void tooLarge() {}

        @Test
        @RateLimitRules("classpath:missing.yaml")
        void missing() {}

        @Test
        @RateLimitRules("ftp://host/rules.yaml")
        void odd() {}

        @Test
        @RateLimitRules
        void none() {}

        @Test
        @RateLimitRules(value = "classpath:ratelimit.yaml", yaml = ONE_AN_HOUR)
        void both() {}
    }

    @Test
    void wrongRulesFailTheTestWithAllThatIsWrong() {
        assertThat(run(Wrong.class))
                .hasSize(6)
                .noneMatch(String::isEmpty)
                .anyMatch(message -> message.contains("@RateLimitRules:3:")
                        && message.contains("'macth'")
                        && message.contains("@RateLimitRules:4:")
                        && message.contains("fortnight"))
                .anyMatch(message -> message.contains("beyond exact arithmetic"))
                .anyMatch(message -> message.contains("classpath:missing.yaml: is not on the class path"))
                .anyMatch(message -> message.contains("rules cannot come from 'ftp:'"))
                .filteredOn(message -> message.contains("needs either a location"))
                .hasSize(2);
    }

    @ExtendWith(RateLimitExtension.class)
    @RateLimitRules(yaml = ONE_AN_HOUR)
    static class TooEarly {

        @BeforeAll
        static void before(RulesUnderTest rules) {}

        @Test
        void never() {}
    }

    @Test
    void whoAsksBeforeThereIsATestIsToldWhereToAsk() {
        assertThat(run(TooEarly.class)).singleElement().asString().contains("ask for it in the test method");
    }

    /** The messages of the failures of all that was run, empty where a test succeeded. */
    private static List<String> run(Class<?> tests) {
        return EngineTestKit.engine("junit-jupiter").selectors(selectClass(tests)).execute().allEvents().stream()
                .filter(event -> event.getType() == FINISHED)
                .filter(event -> event.getTestDescriptor().isTest()
                        || result(event).getThrowable().isPresent())
                .map(event ->
                        result(event).getThrowable().map(Throwable::getMessage).orElse(""))
                .toList();
    }

    private static TestExecutionResult result(Event event) {
        return event.getRequiredPayload(TestExecutionResult.class);
    }
}
