package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.RequestContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Costs that the application works out. */
class CostResolverTest {

    private static final String RULES = """
            costs:
              - { path: /search, resolver: page-size, cost: 4 }
              - { path: /find, resolver: page-size }
            rules:
              - { name: all, limits: [1000/h] }
              - { name: also, key: service, limits: [2000/h] }
            """;

    private record Resolver(String name, ToLongFunction<RequestContext> work) implements CostResolver {

        @Override
        public long cost(RequestContext request) {
            return work.applyAsLong(request);
        }
    }

    private static long paid(CostResolver resolver, TestRequest request) {
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.costs(resolver))) {
            return 1000 - engine.left(request);
        }
    }

    @Test
    void aRequestCostsWhatTheResolverOfItsEntrySays() {
        Resolver seven = new Resolver("page-size", request -> 7);
        assertThat(paid(seven, get("/search"))).isEqualTo(7);
        assertThat(paid(seven, get("/other"))).isEqualTo(1);
        assertThat(paid(seven, get("/search").cost(2))).isEqualTo(2);
    }

    @Test
    void aCostOfNothingOnlyLooks() {
        assertThat(paid(new Resolver("page-size", request -> 0), get("/search")))
                .isZero();
    }

    @Test
    void aCostAboveTheLimitIsRefusedWithoutAPromise() {
        Resolver dear = new Resolver("page-size", request -> Long.MAX_VALUE);
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.costs(dear))) {
            assertThat(engine.decide(get("/search")).allowed()).isFalse();
            assertThat(engine.decide(get("/search")).retryAfter()).isEmpty();
        }
    }

    @Test
    void aResolverIsAskedOnceThoughSeveralRulesCharge() {
        AtomicInteger asked = new AtomicInteger();
        Resolver counting = new Resolver("page-size", request -> asked.incrementAndGet());
        assertThat(paid(counting, get("/search"))).isEqualTo(1);
        assertThat(asked).hasValue(1);
    }

    @Test
    void aResolverSeesTheAttributesThatOthersResolve() {
        AttributeResolver weights = (name, request) -> name.equals("weight") ? 9L : null;
        Resolver weighing = new Resolver("page-size", request -> (Long) request.attribute("weight"));
        try (ExtendedEngine engine =
                new ExtendedEngine(RULES, builder -> builder.attributes(weights).costs(weighing))) {
            assertThat(engine.left(get("/search"))).isEqualTo(991);
        }
    }

    @Test
    void aResolverThatThrowsLeavesTheCostOfTheRulesAndIsReportedOnce() {
        Resolver failing = new Resolver("page-size", request -> {
            throw new NumberFormatException("secret");
        });
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.costs(failing))) {
            assertThat(engine.left(get("/search"))).isEqualTo(996);
            assertThat(engine.left(get("/search"))).isEqualTo(992);
            assertThat(engine.left(get("/find"))).isEqualTo(991);
            assertThat(engine.complaints())
                    .singleElement()
                    .asString()
                    .contains("'page-size'", "NumberFormatException", "costs 4")
                    .doesNotContain("secret");
        }
    }

    @Test
    void aNegativeCostLeavesTheCostOfTheRulesAndIsReportedOnce() {
        Resolver negative = new Resolver("page-size", request -> -1);
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.costs(negative))) {
            assertThat(engine.left(get("/search"))).isEqualTo(996);
            assertThat(engine.left(get("/search"))).isEqualTo(992);
            assertThat(engine.complaints()).singleElement().asString().contains("'page-size'", "negative", "costs 4");
        }
    }

    @Test
    void aResolverThatTheHostDoesNotHaveIsToldWhenTheRulesComeIntoForce() {
        Resolver other = new Resolver("weight", request -> 7);
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.costs(other))) {
            assertThat(engine.complaints())
                    .hasSize(2)
                    .first()
                    .asString()
                    .contains("costs[0]", "'page-size'", "[weight]", "cost of 4 stands in");
            assertThat(engine.left(get("/search"))).isEqualTo(996);
            assertThat(engine.left(get("/find"))).isEqualTo(995);
            assertThat(engine.complaints()).hasSize(2);
        }
    }

    @Test
    void twoResolversOfOneNameAreAMistake() {
        RateLimitEngineBuilder builder = RateLimitEngine.builder().costs(new Resolver("page-size", request -> 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.costs(new QueryParameterCost("page-size", "size", 1, 100)))
                .withMessageContainingAll("page-size", Resolver.class.getName(), QueryParameterCost.class.getName());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "page size", "größe"})
    void aNameThatRulesCannotSayIsAMistake(String name) {
        RateLimitEngineBuilder builder = RateLimitEngine.builder();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder.costs(new Resolver(name, request -> 1)))
                .withMessageContaining("'" + name + "'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                      | 2",
                "page=3                | 2",
                "size=                 | 2",
                "size                  | 2",
                "size=50               | 50",
                "page=3&size=50        | 50",
                "size=1                | 2",
                "size=-7               | 2",
                "size=100              | 100",
                "size=101              | 100",
                "size=99999999999999999999999 | 100",
                "size=1e3              | 100",
                "size=0x3E8            | 100",
                "size=5&size=70&size=6 | 70",
                "size=%35%30           | 50",
                "s%69ze=50             | 50",
                "size=%2B50            | 50",
                "size=+50              | 50",
                "SIZE=50               | 2"
            })
    void theNumberInTheQueryIsTheCostWithinItsBounds(String query, long cost) {
        assertThat(paid(
                        new QueryParameterCost("page-size", "size", 2, 100),
                        get("/search").query(query)))
                .isEqualTo(cost);
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "5, 4"})
    void boundsThatAreNoneAreAMistake(long least, long most) {
        assertThatIllegalArgumentException().isThrownBy(() -> new QueryParameterCost("page-size", "size", least, most));
    }

    @Test
    void theDigitsOfOtherScriptsAreNumbersAsJavaReadsThem() {
        List<String> queries = List.of("size=%D9%A5%D9%A0", "size=\u0665\u0660");
        assertThat(queries)
                .allSatisfy(query -> assertThat(paid(
                                new QueryParameterCost("page-size", "size", 2, 100),
                                get("/search").query(query)))
                        .isEqualTo(50));
    }

    @Test
    void aDigitThatIsTwoCharsCostsTheMost() {
        assertThat(paid(
                        new QueryParameterCost("page-size", "size", 2, 100),
                        get("/search").query("size=%F0%9D%9F%97")))
                .isEqualTo(100);
    }
}
