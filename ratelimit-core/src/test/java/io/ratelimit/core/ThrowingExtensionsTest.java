package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.Decision;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.RefusalResponder;
import io.ratelimit.RequestContext;
import io.ratelimit.core.http.AnswerExtensions;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import io.ratelimit.store.BucketStore;
import java.io.IOException;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.stubbing.Answer;

/** Code of the application that throws what it should not: errors, and checked exceptions that it does not declare. */
class ThrowingExtensionsTest {

    private static final String RULES = """
            clients: ["header:X-Api-Key", ip]
            costs: [{ path: /dear, resolver: weight, cost: 2 }]
            rules:
              - { name: gold, match: { attributes: { tier: gold } }, key: ip, limits: [1/h] }
              - { name: tenants, key: "attribute:tenant", limits: [1/h] }
              - { name: all, limits: [9/h] }
            """;

    static List<Throwable> faults() {
        return List.of(
                new AssertionError("secret"),
                new OutOfMemoryError("secret"),
                new ServiceConfigurationError("secret"),
                new IOException("secret"));
    }

    private static Answer<?> thrown(Throwable fault) {
        return call -> {
            throw fault;
        };
    }

    private static void assertRuleOfAllHolds(
            UnaryOperator<RateLimitEngineBuilder> extensions, RequestContext request, int cost, Throwable fault) {
        try (ExtendedEngine engine = new ExtendedEngine(RULES, extensions)) {
            assertThat(engine.left(request)).isEqualTo(9 - cost);
            assertThat(engine.left(request)).isEqualTo(9 - 2 * cost);
            assertThat(engine.allows(request)).isTrue();
            assertThat(engine.complaints())
                    .filteredOn(line -> line.contains(fault.getClass().getName()))
                    .isNotEmpty()
                    .doesNotHaveDuplicates()
                    .noneMatch(line -> line.contains("secret"));
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aResolverOfAttributesKnowsNothing(Throwable fault) {
        AttributeResolver failing = mock(AttributeResolver.class, thrown(fault));
        assertRuleOfAllHolds(builder -> builder.attributes(failing), get("/"), 1, fault);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void anAttributeWithoutATextIsMissing(Throwable fault) {
        Object nameless = mock(Object.class, thrown(fault));
        assertRuleOfAllHolds(builder -> builder.attributes((name, request) -> nameless), get("/"), 1, fault);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aResolverOfCostsLeavesTheCostOfTheRules(Throwable fault) {
        CostResolver failing = mock(CostResolver.class);
        when(failing.name()).thenReturn("weight");
        when(failing.cost(any())).then(thrown(fault));
        assertRuleOfAllHolds(builder -> builder.costs(failing), get("/dear"), 2, fault);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aVerifierOfIdentitiesVerifiesNothing(Throwable fault) {
        IdentityVerifier failing = mock(IdentityVerifier.class, thrown(fault));
        assertRuleOfAllHolds(builder -> builder.identities(failing), get("/").header("X-Api-Key", "key"), 1, fault);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aRequestThatCannotBeReadPasses(Throwable fault) {
        RequestContext request = mock(RequestContext.class, thrown(fault));
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder)) {
            assertThat(engine.decide(request).reason()).isEqualTo(Decision.Reason.FAILURE);
            assertThat(engine.allows(request)).isTrue();
            assertThat(engine.complaints())
                    .filteredOn(line -> line.contains("the request passes"))
                    .hasSize(1);
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aStoreThatThrowsIsOneThatFails(Throwable fault) {
        BucketStore store = mock(BucketStore.class);
        when(store.spend(any(), any())).then(thrown(fault));
        doAnswer(thrown(fault)).when(store).close();
        try (ExtendedEngine engine = new ExtendedEngine(
                "rules: [{ name: all, key: ip, sharing: exact, onFailure: closed, limits: [9/h] }]",
                builder -> builder.store(store))) {
            assertThat(engine.decide(get("/")).reason()).isEqualTo(Decision.Reason.FAILURE);
            assertThat(engine.decide(get("/")).allowed()).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aResponderLeavesTheAnswerToTheLimiter(Throwable fault) {
        RefusalResponder failing = mock(RefusalResponder.class, thrown(fault));
        HttpAnswers answers = new HttpAnswers(
                HttpSettings.DEFAULT,
                new ManualTimeSource(),
                AnswerExtensions.none().with(failing));
        assertThat(answers.refuse(mock(Decision.class), get("/")).contentType()).isEqualTo("application/problem+json");
    }
}
