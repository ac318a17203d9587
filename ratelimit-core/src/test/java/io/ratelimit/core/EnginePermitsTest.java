package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Permits;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import io.ratelimit.store.StoreException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EnginePermitsTest {

    private static final ClientIdentifier ANN = ClientIdentifier.of("user", "ann");
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final ManualTimeSource time = new ManualTimeSource();

    private static final String RULES = """
            service: test
            onFailure: closed
            rules:
              - { name: mails, limits: [10/s] }
              - { name: jobs, match: { path: /jobs }, sharing: host, limits: [{ tokens: 2, algorithm: concurrency }] }
              - { name: tried, match: { path: /tried }, limits: [1/h], onExceeded: shadow }
              - { name: windows, match: { path: /windows }, limits: [10/s, { tokens: 10, per: 1m, algorithm: fixed-window }] }
            """;

    private RateLimitEngine engine(RulesSource source) {
        RateLimitEngine engine =
                RateLimitEngine.builder().rules(source).timeSource(time).build();
        engine.start();
        return engine;
    }

    @Test
    void shareTheBucketWithTheRequestsOfTheSameClient() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            Permits permits = engine.permits("mails", ANN);
            assertThat(permits.tryAcquire(9)).isTrue();
            assertThat(engine.limiter().decide(get("/").user("ann")).remaining())
                    .isZero();
            assertThat(permits.tryAcquire()).isFalse();
            assertThat(permits.reserve(5).waitTime()).isEqualTo(Duration.ofMillis(500));
            assertThat(engine.limiter().decide(get("/").user("ann")).retryAfter())
                    .contains(Duration.ofMillis(600));
            assertThat(engine.permits("mails", ClientIdentifier.of("user", "bob"))
                            .tryAcquire(10))
                    .isTrue();
        }
    }

    @Test
    void giveTurnsBackToTheBucketOfTheRule() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            Permits permits = engine.permits("mails", ANN);
            assertThat(permits.tryAcquire(10)).isTrue();
            assertThat(permits.reserve(5).cancel()).isTrue();
            permits.acquireAsync(5, MINUTE).cancel(false);
            assertThat(permits.reserve(1, MINUTE))
                    .hasValueSatisfying(turn -> assertThat(turn.waitTime()).isEqualTo(Duration.ofMillis(100)));
        }
    }

    @Test
    void refuseWithoutChargingWhereOneOfSeveralLimitsCannotOweTokens() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            Permits permits = engine.permits("windows", ANN);
            assertThat(permits.tryAcquire(10)).isTrue();
            time.advance(Duration.ofSeconds(1));
            assertThat(permits.reserve(1, Duration.ofHours(1))).isEmpty();
            assertThat(permits.acquireAsync(1, Duration.ofSeconds(58))).isCompletedWithValue(false);
            time.advance(Duration.ofSeconds(59));
            assertThat(permits.tryAcquire(10)).isTrue();
        }
    }

    @Test
    void nameTheNearestRuleWhereThereIsNone() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.permits("mail", ANN).tryAcquire())
                    .withMessage("no rule is named 'mail'; did you mean 'mails'?");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.permits("mails", ANN).acquire(11))
                    .withMessageContaining("at most 10");
        }
    }

    @Test
    void refuseAClientThatNoRequestCouldBe() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.permits("mails", ClientIdentifier.of("usr", "ann"))
                            .tryAcquire())
                    .withMessageStartingWith("rule 'mails' tells clients apart by user")
                    .withMessageContaining("not by 'usr'");
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            engine.permits("mails", ClientIdentifier.SERVICE).tryAcquire())
                    .withMessageContaining("not by 'service'");
        }
    }

    @Test
    void areNotForRulesThatCountRequestsUnderWay() {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> engine.permits("jobs", ANN).tryAcquire())
                    .withMessageContaining("rule 'jobs' has a limit of concurrency");
        }
    }

    @Test
    void passUnderAShadowRule() throws InterruptedException {
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            Permits permits = engine.permits("tried", ANN);
            assertThat(permits.tryAcquire(5)).isTrue();
            permits.acquire();
            permits.acquire();
            assertThat(permits.reserve(1).waitTime()).isZero();
        }
    }

    @Test
    void passBeforeThereAreRules() {
        try (RateLimitEngine engine = engine(new NoRules())) {
            assertThat(engine.permits("mails", ANN).tryAcquire(1_000)).isTrue();
        }
    }

    @Test
    void followTheRulesInForce() {
        try (RateLimitEngine engine = engine(new NoRules())) {
            Permits permits = engine.permits("mails", ANN);
            assertThat(permits.tryAcquire(1_000)).isTrue();
            engine.declare(new Rule(
                    "mails",
                    Condition.operation("mails"),
                    new Key.Client(),
                    List.of(Limit.of(10, Duration.ofSeconds(1))),
                    List.of(),
                    OnExceeded.REJECT,
                    StorePolicy.UNSET));
            assertThat(permits.tryAcquire(1_000)).isFalse();
            assertThat(permits.tryAcquire(10)).isTrue();
        }
    }

    @Test
    void areAnsweredByOnFailureWhereTheStoreFails() {
        try (RateLimitEngine closed = failing(RULES);
                RateLimitEngine open = failing(RULES.replace("closed", "open"))) {
            assertThat(open.permits("mails", ANN).reserve(10).waitTime()).isZero();
            assertThat(open.permits("mails", ANN).tryAcquire(10)).isTrue();
            assertThat(closed.permits("mails", ANN).tryAcquire()).isFalse();
            assertThat(closed.permits("mails", ANN).acquireAsync(1, Duration.ofMillis(50)))
                    .isCompletedWithValue(false);
        }
    }

    private RateLimitEngine failing(String rules) {
        RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesText(rules))
                .store(new FailingStore())
                .timeSource(time)
                .build();
        engine.start();
        return engine;
    }

    @Test
    void answerThoseWhoWaitWithoutAThreadWhenTheEngineIsClosed() {
        CompletableFuture<Boolean> turn;
        try (RateLimitEngine engine = engine(new RulesText(RULES))) {
            Permits permits = engine.permits("mails", ANN);
            assertThat(permits.tryAcquire(10)).isTrue();
            for (int i = 0; i < 600; i++) {
                permits.reserve(10);
            }
            turn = permits.acquireAsync(1, Duration.ofHours(1));
            assertThat(turn).isNotDone();
        }
        assertThat(turn).isCompletedWithValue(false);
    }

    private record NoRules() implements RulesSource {

        @Override
        public String location() {
            return "nowhere";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) throws IOException {
            throw new IOException("no rules today");
        }
    }

    private record FailingStore() implements BucketStore {

        @Override
        public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
            throw new StoreException("store-error", "broken");
        }

        @Override
        public CompletionStage<Void> refund(Receipt receipt, long tokens) {
            throw new StoreException("store-error", "broken");
        }

        @Override
        public void close() {}
    }
}
