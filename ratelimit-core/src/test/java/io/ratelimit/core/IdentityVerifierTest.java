package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.Decision;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.Identity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Identities that clients claim, and the application knows. */
class IdentityVerifierTest {

    private static final String RULES = """
            clients: ["header:X-Api-Key", ip]
            rules:
              - { name: all, limits: [3/h] }
            """;

    /** Knows some values of one identity. */
    private record KnownValues(String identity, Set<String> values) implements IdentityVerifier {

        @Override
        public boolean vouchesFor(Identity asked) {
            return asked.toString().equals(identity);
        }

        @Override
        public boolean verify(Identity asked, String value, RequestContext request) {
            assertThat(asked).hasToString(identity);
            return values.contains(value);
        }
    }

    private static TestRequest withKey(String key) {
        return get("/").header("X-Api-Key", key);
    }

    @Test
    void anInventedKeyIsNoFreshBucket() {
        IdentityVerifier keys = new KnownValues("header:X-Api-Key", Set.of("real"));
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.identities(keys))) {
            assertThat(engine.left(withKey("real"))).isEqualTo(2);
            assertThat(engine.left(withKey("invented-1"))).isEqualTo(2);
            assertThat(engine.left(withKey("invented-2"))).isEqualTo(1);
            assertThat(engine.left(get("/"))).isZero();
            assertThat(engine.left(withKey("real"))).isEqualTo(1);
            assertThat(engine.complaints()).isEmpty();
        }
    }

    @Test
    void aRuleWhoseKeyIsNotRealDoesNotApply() {
        IdentityVerifier keys = new KnownValues("header:X-Api-Key", Set.of("real"));
        String rules = """
                rules:
                  - { name: keys, key: ["header:X-Api-Key", ip], limits: [3/h] }
                  - { name: all, key: ip, limits: [9/h] }
                """;
        try (ExtendedEngine engine = new ExtendedEngine(rules, builder -> builder.identities(keys))) {
            assertThat(engine.decide(withKey("invented")).limits()).hasSize(1);
            assertThat(engine.decide(withKey("real")).limits()).hasSize(2);
        }
    }

    @Test
    void anIdentityThatNobodyVouchesForIsBelieved() {
        IdentityVerifier cookies = new KnownValues("cookie:client", Set.of());
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.identities(cookies))) {
            assertThat(engine.left(withKey("one"))).isEqualTo(2);
            assertThat(engine.left(withKey("two"))).isEqualTo(2);
        }
    }

    @Test
    void theWordOfOneOfSeveralVerifiersIsEnough() {
        IdentityVerifier first = new KnownValues("header:X-Api-Key", Set.of("one"));
        IdentityVerifier second = new KnownValues("header:X-Api-Key", Set.of("two"));
        try (ExtendedEngine engine =
                new ExtendedEngine(RULES, builder -> builder.identities(first).identities(second))) {
            assertThat(engine.left(withKey("one"))).isEqualTo(2);
            assertThat(engine.left(withKey("two"))).isEqualTo(2);
            assertThat(engine.left(withKey("three"))).isEqualTo(2);
            assertThat(engine.left(withKey("four"))).isEqualTo(1);
        }
    }

    @Test
    void aBearerTokenIsVerifiedAndTheUserAndTheAddressAreNotAskedFor() {
        List<Identity.Kind> asked = new CopyOnWriteArrayList<>();
        IdentityVerifier nobody = new IdentityVerifier() {
            @Override
            public boolean vouchesFor(Identity identity) {
                asked.add(identity.kind());
                return true;
            }

            @Override
            public boolean verify(Identity identity, String value, RequestContext request) {
                return false;
            }
        };
        String rules = """
                clients: [bearer, "cookie:c", "attribute:a", user, ip]
                rules: [{ name: all, limits: [3/h] }]
                """;
        try (ExtendedEngine engine = new ExtendedEngine(rules, builder -> builder.identities(nobody))) {
            assertThat(engine.left(get("/").user("alice").header("Authorization", "Bearer one")))
                    .isEqualTo(2);
            assertThat(engine.left(get("/").user("alice").header("Authorization", "Bearer two")))
                    .isEqualTo(1);
            assertThat(asked).containsOnly(Identity.Kind.BEARER, Identity.Kind.COOKIE);
        }
    }

    @Test
    void aVerifierThatThrowsVerifiesNothingAndIsReportedOnceWithoutTheValue() {
        IdentityVerifier failing = new IdentityVerifier() {
            @Override
            public boolean vouchesFor(Identity identity) {
                return true;
            }

            @Override
            public boolean verify(Identity identity, String value, RequestContext request) {
                throw new IllegalStateException(value);
            }
        };
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.identities(failing))) {
            assertThat(engine.left(withKey("s3cret-1"))).isEqualTo(2);
            assertThat(engine.left(withKey("s3cret-2"))).isEqualTo(1);
            assertThat(engine.complaints())
                    .singleElement()
                    .asString()
                    .contains(failing.getClass().getName(), "IllegalStateException", "counts as missing")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void aVerifierThatCannotSayWhatItVouchesForIsAskedOfAllValues() {
        IdentityVerifier failing = new IdentityVerifier() {
            @Override
            public boolean vouchesFor(Identity identity) {
                throw new NoClassDefFoundError("half a class path");
            }

            @Override
            public boolean verify(Identity identity, String value, RequestContext request) {
                return value.equals("real");
            }
        };
        try (ExtendedEngine engine = new ExtendedEngine(RULES, builder -> builder.identities(failing))) {
            assertThat(engine.left(withKey("real"))).isEqualTo(2);
            assertThat(engine.left(withKey("one"))).isEqualTo(2);
            assertThat(engine.left(withKey("two"))).isEqualTo(1);
            assertThat(engine.complaints()).hasSize(1);
        }
    }

    /** Credentials that are good once, such as those with a nonce. */
    private static final class GoodOnce implements IdentityVerifier {

        private final Set<String> seen = new HashSet<>();
        private int asked;

        @Override
        public boolean vouchesFor(Identity identity) {
            return identity.kind() == Identity.Kind.HEADER;
        }

        @Override
        public boolean verify(Identity identity, String value, RequestContext request) {
            asked++;
            return seen.add(request.path()) && !value.equals("invented");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"[3/h]", "[3/h, 90/d]", "[{ tokens: 3, per: 1h, algorithm: sliding-window-log }]"})
    void aCredentialIsVerifiedOnceWhateverBecomesOfTheRequest(String limits) {
        GoodOnce verifier = new GoodOnce();
        String rules = "rules: [{ name: all, key: \"header:X-Api-Key\", limits: " + limits + " }]";
        UnaryOperator<RateLimitEngineBuilder> oneClient =
                builder -> builder.identities(verifier).setting("maxClients", "1");
        try (ExtendedEngine engine = new ExtendedEngine(rules, oneClient)) {
            int requests = 0;
            assertThat(engine.decide(request(requests++, "alice")).settlement().refund())
                    .isTrue();
            for (int i = 0; i < 3; i++) {
                assertThat(engine.decide(request(requests++, "alice")).allowed())
                        .isTrue();
            }
            for (int i = 0; i < 5; i++) {
                assertThat(engine.decide(request(requests++, "alice")).allowed())
                        .isFalse();
                assertThat(engine.allows(request(requests++, "alice"))).isFalse();
            }
            // Nobody else finds a place, and the rule does not apply to who is nobody.
            assertThat(engine.decide(request(requests++, "bob")).reason()).isEqualTo(Decision.Reason.FAILURE);
            assertThat(engine.allows(request(requests++, "bob"))).isTrue();
            assertThat(engine.decide(request(requests++, "invented")).reason()).isEqualTo(Decision.Reason.NO_LIMIT);
            assertThat(engine.allows(request(requests++, "invented"))).isTrue();
            assertThat(verifier.asked).isEqualTo(requests);
        }
    }

    private static TestRequest request(int number, String key) {
        return get("/" + number).header("X-Api-Key", key);
    }
}
