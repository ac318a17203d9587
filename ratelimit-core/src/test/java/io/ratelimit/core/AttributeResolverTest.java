package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.AttributeResolver;
import io.ratelimit.RequestContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attributes that the application looks up. */
class AttributeResolverTest {

    private static final String RULES = """
            clients: ["attribute:tenant", ip]
            rules:
              - name: all
                limits: [3/h]
                overrides: [{ when: { attributes: { tier: gold } }, limits: [10/h] }]
              - { name: trial, match: { attributes: { tier: trial } }, key: service, limits: [1/h] }
            """;

    private static AttributeResolver tierOf(Map<String, String> tiers) {
        return (name, request) -> name.equals("tier") ? tiers.get(String.valueOf(request.user())) : null;
    }

    @Test
    void conditionsAndOverridesReadWhatAResolverFinds() {
        AttributeResolver tiers = tierOf(Map.of("alice", "gold", "bob", "trial"));
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.attributes(tiers))) {
            assertThat(engine.left(get("/").user("alice").from("192.0.2.1"))).isEqualTo(9);
            assertThat(engine.left(get("/").user("bob").from("192.0.2.2"))).isZero();
            assertThat(engine.left(get("/").user("carol").from("192.0.2.3"))).isEqualTo(2);
            assertThat(engine.complaints()).isEmpty();
        }
    }

    @Test
    void keysReadWhatAResolverFinds() {
        AttributeResolver tenants = (name, request) -> name.equals("tenant") ? "acme" : null;
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.attributes(tenants))) {
            assertThat(engine.left(get("/").from("192.0.2.1"))).isEqualTo(2);
            assertThat(engine.left(get("/").from("192.0.2.2"))).isEqualTo(1);
        }
    }

    @Test
    void theRequestsOwnAttributeStandsBeforeTheResolvers() {
        AttributeResolver gold = (name, request) -> "gold";
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.attributes(gold))) {
            assertThat(engine.left(get("/").attribute("tier", "silver"))).isEqualTo(2);
        }
    }

    @Test
    void aResolverIsAskedOnceForEachNameThoughSeveralRulesReadIt() {
        List<String> asked = new ArrayList<>();
        AttributeResolver nothing = (name, request) -> {
            asked.add(name);
            return null;
        };
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.attributes(nothing))) {
            engine.decide(get("/"));
            assertThat(asked).containsExactlyInAnyOrder("tier", "tenant");
            engine.decide(get("/"));
            assertThat(asked).hasSize(4);
        }
    }

    @Test
    void resolversAreAskedInOrderUntilOneAnswers() {
        AttributeResolver none = (name, request) -> null;
        AttributeResolver gold = (name, request) -> name.equals("tier") ? "gold" : null;
        AttributeResolver late = (name, request) -> name.equals("tier") ? "late" : null;
        try (ExtendedEngine engine = new ExtendedEngine(
                RULES, builder -> builder.attributes(none).attributes(gold).attributes(late))) {
            assertThat(engine.left(get("/"))).isEqualTo(9);
        }
    }

    static List<Throwable> faults() {
        return List.of(
                new IllegalStateException("secret", new IllegalStateException("secret")),
                new NoClassDefFoundError("secret"),
                new StackOverflowError());
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aResolverThatThrowsKnowsNothingAndIsReportedOnce(Throwable fault) {
        AttributeResolver failing = new FailingResolver(fault);
        AttributeResolver gold = (name, request) -> name.equals("tier") ? "gold" : null;
        try (ExtendedEngine engine =
                new ExtendedEngine(RULES, builder -> builder.attributes(failing).attributes(gold))) {
            assertThat(engine.left(get("/"))).isEqualTo(9);
            assertThat(engine.left(get("/"))).isEqualTo(8);
            assertThat(engine.complaints())
                    .singleElement()
                    .asString()
                    .contains(FailingResolver.class.getName(), fault.getClass().getName(), "an attribute", "missing")
                    .contains("at " + AttributeResolverTest.class.getName())
                    .doesNotContain("secret");
        }
    }

    private record FailingResolver(Throwable fault) implements AttributeResolver {

        @Override
        public Object resolve(String name, RequestContext request) {
            throw AttributeResolverTest.<RuntimeException>sneaky(fault);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> T sneaky(Throwable fault) throws T {
        throw (T) fault;
    }
}
