package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.ratelimit.Decision;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.metrics.MicrometerListener;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesSource;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetersTest {

    private static final String RULES = """
            service: orders
            exempt: [{ path: /health }]
            rules:
              - { name: api, match: { path: /api }, limits: [2/h] }
              - { name: trial, match: { path: /trial }, limits: [1/h], onExceeded: shadow }
            """;

    private final ManualTimeSource time = new ManualTimeSource();
    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final EditedRules rules = new EditedRules(RULES);
    private @Nullable RateLimitEngine engine;

    /** Rules that a test edits; an engine retrieves them when it starts. */
    private static final class EditedRules implements RulesSource {

        private String text;

        EditedRules(String text) {
            this.text = text;
        }

        @Override
        public String location() {
            return "rules.yaml";
        }

        @Override
        public Optional<RulesDocument> retrieve(@Nullable RulesDocument last) {
            return Optional.of(new RulesDocument(location(), text.getBytes(StandardCharsets.UTF_8), "tag", 7));
        }
    }

    private RateLimitEngineBuilder builder() {
        return RateLimitEngine.builder().timeSource(time).rules(rules);
    }

    private RateLimitEngine started(RateLimitEngineBuilder builder) {
        engine = builder.build();
        engine.start();
        return engine;
    }

    private RateLimitEngine metered() {
        return started(builder().listener(new MicrometerListener(registry)));
    }

    @AfterEach
    void close() {
        if (engine != null) {
            engine.close();
        }
    }

    private double decisions(String rule, String outcome) {
        Counter counter = registry.find("ratelimit.decisions")
                .tags("rule", rule, "outcome", outcome)
                .counter();
        return counter == null ? 0 : counter.count();
    }

    @Test
    void decisionsAreCountedByTheRuleThatDecidedAndByWhatBecameOfTheRequest() {
        RateLimitEngine running = metered();
        for (int i = 0; i < 5; i++) {
            running.limiter().decide(get("/api"));
        }
        running.limiter().allowRequest(get("/api"));
        running.limiter().decide(get("/health"));
        running.limiter().decide(get("/other"));
        assertThat(decisions("api", "allowed")).isEqualTo(2);
        assertThat(decisions("api", "refused")).isEqualTo(4);
        assertThat(decisions("(none)", "allowed")).isEqualTo(2);
    }

    @Test
    void whatAShadowRuleWouldHaveRefusedIsCountedBesideTheDecision() {
        RateLimitEngine running = metered();
        for (int i = 0; i < 3; i++) {
            running.limiter().decide(get("/trial"));
        }
        assertThat(decisions("trial", "shadow")).isEqualTo(2);
        assertThat(decisions("(none)", "allowed")).isEqualTo(3);
    }

    @Test
    void noClientStandsInATag() {
        RateLimitEngine running = metered();
        for (int i = 0; i < 50; i++) {
            running.limiter().decide(get("/api").from("192.0.2." + i).user("user-" + i));
        }
        assertThat(registry.find("ratelimit.decisions").counters()).hasSize(1);
        assertThat(registry.getMeters().stream()
                        .flatMap(meter -> meter.getId().getTags().stream())
                        .map(Tag::getKey))
                // le is the boundary of a timer.
                .containsOnly("rule", "outcome", "le");
    }

    @Test
    void veryManyRulesShareTheCountersOfTheOthers() {
        StringBuilder many = new StringBuilder("service: orders\nrules:\n");
        IntStream.range(0, 1_020)
                .forEach(i -> many.append("  - { name: r%d, match: { path: /%d }, limits: [9/h] }%n".formatted(i, i)));
        rules.text = many.toString();
        RateLimitEngine running = metered();
        for (int i = 0; i < 1_020; i++) {
            running.limiter().decide(get("/" + i));
        }
        assertThat(registry.find("ratelimit.decisions").counters()).hasSize(1_001);
        assertThat(decisions("(other)", "allowed")).isEqualTo(20);
    }

    @Test
    void aRuleThatIsTakenOutLosesItsCountersAndTheOthersGoOn() {
        MicrometerListener listener = new MicrometerListener(registry);
        RateLimitEngine running = started(builder().listener(listener));
        running.limiter().decide(get("/api"));
        running.limiter().decide(get("/trial"));
        running.limiter().decide(get("/trial"));
        RateLimitEngine other = RateLimitEngine.builder()
                .rules(new RulesText("service: orders\nrules:\n  - { name: trial, limits: [1/h] }\n"))
                .build();
        other.start();
        listener.onReload(other.rules());
        other.close();
        assertThat(registry.find("ratelimit.decisions").tag("rule", "api").counters())
                .isEmpty();
        assertThat(decisions("trial", "shadow")).isEqualTo(1);
    }

    @Test
    void aDecisionThatComesLateLeavesItsRuleNoCountersAfterTheNextReload() {
        MicrometerListener listener = new MicrometerListener(registry);
        RateLimitEngine running = started(builder().listener(listener));
        Decision late = running.limiter().decide(get("/api"));
        for (int i = 0; i < 2; i++) {
            listener.onReload(RuleSet.open("orders"));
            assertThat(registry.find("ratelimit.decisions").tag("rule", "api").counters())
                    .isEmpty();
            listener.onDecision(get("/api"), late);
            assertThat(decisions("api", "allowed")).isEqualTo(1);
        }
    }

    @Test
    void aRuleThatIsInNoRuleSetKeepsItsCounters() {
        Decision declared = started(builder()).limiter().decide(get("/api"));
        MicrometerListener listener = new MicrometerListener(registry);
        for (int i = 1; i <= 3; i++) {
            listener.onDecision(get("/api"), declared);
            listener.onReload(RuleSet.open("orders"));
            assertThat(decisions("api", "allowed")).isEqualTo(i);
        }
    }

    @Test
    void keysAndTheVersionOfTheRulesAreGauges() {
        RateLimitEngine running = metered();
        assertThat(registry.get("ratelimit.keys").gauge().value()).isZero();
        running.limiter().decide(get("/api"));
        running.limiter().decide(get("/api").from("192.0.2.2"));
        running.sweep();
        assertThat(registry.get("ratelimit.keys").gauge().value()).isEqualTo(2);
        time.advance(Duration.ofHours(2));
        running.sweep();
        assertThat(registry.get("ratelimit.keys").gauge().value()).isZero();
        assertThat(registry.get("ratelimit.rules.version").gauge().value())
                .isEqualTo(running.rules().version());
    }

    /** Answers after so much time as a network would take. */
    private final class RemoteStore implements BucketStore {

        private final LocalBucketStore buckets = new LocalBucketStore(time, 100);
        private boolean fails;

        @Override
        public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
            time.advance(Duration.ofMillis(3));
            if (fails) {
                throw new IllegalStateException("gone");
            }
            return buckets.spend(charges, timeout);
        }

        @Override
        public CompletionStage<Void> refund(Receipt receipt, long tokens) {
            return buckets.refund(receipt, tokens);
        }

        @Override
        public void close() {}
    }

    @Test
    void callsToTheSharedStoreAreTimedAndSoAreSomeDecisions() {
        started(builder().listener(new MicrometerListener(registry)).store(new RemoteStore()));
        for (int i = 0; i < 1_000; i++) {
            engine.limiter().decide(get("/api").from("192.0.2." + i % 250));
        }
        var store = registry.get("ratelimit.store.duration").timer();
        assertThat(store.count()).isEqualTo(1_000);
        assertThat(store.mean(TimeUnit.MILLISECONDS)).isEqualTo(3);
        var decision = registry.get("ratelimit.decision.duration").timer();
        // One in sixteen of 1,000: 62, give or take five times 7.6.
        assertThat(decision.count()).isBetween(20L, 105L);
        assertThat(decision.max(TimeUnit.MILLISECONDS)).isEqualTo(3);
    }

    @Test
    void failuresAreCountedByKindAndSoIsWhatOnFailureAnswered() {
        RemoteStore store = new RemoteStore();
        store.fails = true;
        started(builder().listener(new MicrometerListener(registry)).store(store));
        for (int i = 0; i < 3; i++) {
            engine.limiter().decide(get("/api"));
        }
        assertThat(registry.get("ratelimit.failures")
                        .tag("kind", "store-error")
                        .counter()
                        .count())
                .isEqualTo(3);
        assertThat(decisions("api", "failure-allowed")).isEqualTo(2);
        assertThat(decisions("api", "failure-refused")).isEqualTo(1);
    }

    @Test
    void prometheusSeesTheNamesOfTheManualAndOfItsDashboard() throws IOException {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        started(builder().listener(new MicrometerListener(prometheus)).store(new RemoteStore()));
        for (int i = 0; i < 500; i++) {
            engine.limiter().decide(get("/api"));
        }
        new MicrometerListener(prometheus).onFailure("internal", new IllegalStateException());
        String scraped = prometheus.scrape();
        String dashboard = Files.readString(Path.of("../docs/grafana-dashboard.json"));
        assertThat(Pattern.compile("ratelimit_[a-z]+_[a-z_]+|ratelimit_keys")
                        .matcher(dashboard)
                        .results()
                        .map(MatchResult::group))
                .isNotEmpty()
                .allSatisfy(name -> assertThat(scraped).contains("\n" + name));
        assertThat(scraped)
                .contains("ratelimit_decisions_total{outcome=\"allowed\",rule=\"api\"} 2.0")
                .contains("ratelimit_decision_duration_seconds_count")
                .contains("ratelimit_decision_duration_seconds_bucket{le=\"1.0E-6\"}")
                .contains("ratelimit_store_duration_seconds_bucket{le=\"0.005\"}")
                .contains("ratelimit_failures_total{kind=\"internal\"} 1.0")
                .contains("ratelimit_keys ")
                .contains("ratelimit_rules_version ");
    }

    @Test
    void anEngineThatIsClosedLeavesNoMeterBehind() {
        RateLimitEngine running = metered();
        running.limiter().decide(get("/api"));
        running.close();
        running.limiter().decide(get("/api"));
        running.limiter().decide(get("/health"));
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void bySettingTheMetersAreInTheGlobalRegistryWithTheTagsThatItNames() {
        Metrics.addRegistry(registry);
        try {
            started(builder().setting("metrics", "app=orders, engine = a b "));
            engine.limiter().decide(get("/api"));
            assertThat(registry.getMeters())
                    .isNotEmpty()
                    .extracting(Meter::getId)
                    .allSatisfy(id ->
                            assertThat(id.getTagsAsIterable()).containsAll(Tags.of("app", "orders", "engine", "a b")));
            engine.close();
            assertThat(registry.getMeters()).isEmpty();
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    @Test
    void anEngineThatCannotBeBuiltLeavesNoMeterBehindEither() {
        Metrics.addRegistry(registry);
        try {
            assertThatThrownBy(() -> builder()
                            .setting("metrics", "true")
                            .setting("pollInterval", "nonsense")
                            .build())
                    .hasMessageContaining("pollInterval");
            assertThat(registry.getMeters()).isEmpty();
        } finally {
            Metrics.removeRegistry(registry);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"yes", "", "app=", "=x", "app=a,app=b", "a b=c", "app=a=b", "app=a,"})
    void aSettingThatIsNeitherAWordNorTagsIsRefused(String value) {
        assertThatThrownBy(() -> builder().setting("metrics", value).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("setting metrics is '" + value
                        + "': it must be true, false, or tags for all meters such as app=orders, each name once");
    }

    @Test
    void withoutTheSettingThereIsNoMeter() {
        Metrics.addRegistry(registry);
        try {
            started(builder().setting("metrics", "false"));
            engine.limiter().decide(get("/api"));
            assertThat(registry.getMeters()).isEmpty();
        } finally {
            Metrics.removeRegistry(registry);
        }
    }
}
