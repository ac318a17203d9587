package io.ratelimit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.explain.DescribedRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.opentest4j.AssertionFailedError;

@ExtendWith(RateLimitExtension.class)
@RateLimitRules(yaml = """
        service: s
        rules:
          - { name: two, match: { path: /two }, key: user, limits: [1/s, 5/h] }
          - { name: none, match: { path: /none }, key: service, limits: "0" }
          - { name: tried, match: { path: /tried }, key: service, limits: [1/h], onExceeded: shadow }
          - name: busy
            match: { path: /busy }
            key: service
            sharing: host
            limits: { tokens: 1, algorithm: concurrency }
        """)
class RequestAssertTest {

    @Test
    void eachAssertionHoldsForWhatItSaysAndFailsForTheRest(RulesUnderTest rules) {
        rules.request("GET /tried");
        rules.request("GET /two user=bob");
        Map<String, RequestAssert> requests = Map.of(
                "allowed", rules.request("GET /two user=alice"),
                "refused", rules.request("GET /two user=bob"),
                "free", rules.request("GET /other"),
                "blocked", rules.request("GET /none"),
                "shadowed", rules.request("GET /tried"));
        holdsFor(requests, RequestAssert::isAllowed, "allowed", "free", "shadowed");
        holdsFor(requests, RequestAssert::isRefused, "refused", "blocked");
        holdsFor(requests, RequestAssert::isNotLimited, "free");
        holdsFor(requests, request -> request.isRefusedBy("two"), "refused");
        holdsFor(requests, request -> request.isRefusedBy("two:1s"), "refused");
        holdsFor(requests, request -> request.isRefusedBy("two:1h"));
        holdsFor(requests, request -> request.mayRetryAfter(Duration.ofSeconds(1)), "refused");
        holdsFor(requests, request -> request.mayRetryAfter(Duration.ofMillis(999)));
        holdsFor(requests, RequestAssert::mayNeverPass, "blocked");
        holdsFor(requests, request -> request.leaves(0), "allowed", "refused", "blocked");
        holdsFor(requests, request -> request.leaves(4, "two:1h"), "allowed", "refused");
        holdsFor(requests, request -> request.wouldBeRefusedBy("tried"), "shadowed");
    }

    private static void holdsFor(
            Map<String, RequestAssert> requests, Consumer<RequestAssert> assertion, String... names) {
        assertThat(requests.keySet())
                .filteredOnAssertions(name -> assertion.accept(requests.get(name)))
                .containsExactlyInAnyOrder(names);
    }

    @Test
    void aFailureTellsTheOutcomeAndWhatEachRuleMakesOfTheRequest(RulesUnderTest rules) {
        rules.request("GET /two user=bob");
        assertThatThrownBy(() -> rules.request("GET /two user=bob").isAllowed())
                .isInstanceOf(AssertionFailedError.class)
                .hasMessageContaining("Expected GET /two user=bob\n  to be allowed")
                .hasMessageContaining("refused: two:1s with 0 left, refuses, 1s, two:1h with 4 left")
                .hasMessageContaining("rule two: applies")
                .hasMessageContaining("rule none: does not apply");
        assertThatThrownBy(() -> rules.request("GET /tried").isRefused())
                .hasMessageContaining("to be refused, but it was not limited");
    }

    @Test
    void aRequestIsUnderWayUntilItIsAnswered(RulesUnderTest rules) {
        RequestAssert first = rules.request("GET /busy").isAllowed();
        rules.request("GET /busy").isRefusedBy("busy");
        first.answered(200);
        assertThat(rules.allowedOf(3, "GET /busy")).isEqualTo(3);
    }

    @Test
    void aLimitOfConcurrencyRefusesForGoodWhatNoEndOfOthersHelps(RulesUnderTest rules) {
        assertThatCode(() -> rules.request("GET /busy cost=2").mayNeverPass()).doesNotThrowAnyException();
        rules.request("GET /busy");
        RequestAssert refused = rules.request("GET /busy").isRefusedBy("busy");
        assertThatThrownBy(refused::mayNeverPass).hasMessageContaining("to be refused for good");
    }

    @Test
    void limitsThatCouldNotBeAskedDoNotRefuseForGood(RateLimitEngine engine) {
        Decision unasked = new Unasked();
        DescribedRequest request = DescribedRequest.parse("GET /two");
        RequestAssert refused = new RequestAssert(engine, "GET /two", request, unasked).isRefused();
        assertThatThrownBy(refused::mayNeverPass).hasMessageContaining("to be refused for good");
    }

    /** A refusal by {@code onFailure: closed}. */
    private static final class Unasked implements Decision {

        @Override
        public boolean allowed() {
            return false;
        }

        @Override
        public Reason reason() {
            return Reason.FAILURE;
        }

        @Override
        public @Nullable LimitStatus decidingLimit() {
            return null;
        }

        @Override
        public List<LimitStatus> limits() {
            return List.of();
        }
    }

    @Test
    void theDecisionIsThereForWhatElseIsAsked(RulesUnderTest rules) {
        assertThat(rules.request("GET /other").decision().reason()).isEqualTo(Decision.Reason.NO_LIMIT);
    }

    @Test
    void aDescriptionThatIsNoneIsToldWhatIsRight(RulesUnderTest rules) {
        assertThatThrownBy(() -> rules.request("GET")).hasMessageContaining("begins with a method and a path");
        assertThatCode(() -> rules.allowedOf(0, "GET /two")).doesNotThrowAnyException();
    }
}
