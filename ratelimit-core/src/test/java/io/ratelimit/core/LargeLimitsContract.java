package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision;
import io.ratelimit.TimeSource;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Very large numbers from the rules file to the header fields, on a host that is alone and on one that shares. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class LargeLimitsContract {

    private final ManualTimeSource clock = new ManualTimeSource(-3_000_000_000L);
    private final HttpAnswers answers = new HttpAnswers(HttpSettings.DEFAULT, clock);

    /** Where the buckets are; leases leave room in them, so that nobody can spend a whole one at once. */
    enum Place {
        ALONE("exact"),
        HOST("host"),
        EXACT("exact"),
        EVENTUAL("eventual");

        private final String sharing;

        Place(String sharing) {
            this.sharing = sharing;
        }
    }

    private Path directory;
    private RateLimitEngine alone;
    private RateLimitEngine sharing;

    /**
     * Has a host share its budgets.
     *
     * @param host the host
     * @param timeSource the clock that buckets go by
     */
    protected abstract void share(RateLimitEngineBuilder host, TimeSource timeSource);

    @BeforeAll
    void startEngines(@TempDir Path newDirectory) throws IOException {
        directory = newDirectory;
        write("");
        alone = start(host -> {});
        sharing = start(host -> share(host, clock));
    }

    @AfterAll
    void stopEngines() {
        alone.close();
        sharing.close();
    }

    @ParameterizedTest
    @EnumSource
    void tokensThatExceedLongsWhenMultipliedByNanosecondsAreCountedExactly(Place place) {
        String client = "/bulk header:X-Api-Key=" + UUID.randomUUID();
        assertThat(retryAfter(place, client + " operation=bulk")).isEqualTo("none");
        clock.advance(Duration.ofMillis(100));
        assertThat(retryAfter(place, client + " operation=bulk")).isEqualTo("10");
        clock.advance(Duration.ofSeconds(5));
        assertThat(retryAfter(place, client + " operation=half")).isEqualTo("none");
        clock.advance(Duration.ofMillis(100));
        assertThat(retryAfter(place, client + " operation=ask")).isEqualTo("7");
        clock.advance(Duration.ofMillis(10_100));
        assertThat(retryAfter(place, client + " operation=bulk")).isEqualTo("none");
        clock.advance(Duration.ofMinutes(1));
    }

    @ParameterizedTest
    @EnumSource
    void aHundredTrillionPerHourAreToldInPlainDigits(Place place) {
        String client = "/huge header:X-Api-Key=" + UUID.randomUUID();
        Map<String, String> fields = fields(decide(place, client));
        assertThat(fields)
                .containsEntry("X-RateLimit-Limit", "100000000000000")
                .containsEntry("X-RateLimit-Remaining", "99999999999999");
        assertThat(fields.get("RateLimit-Policy")).endsWith("q=100000000000000;w=3600");
        assertThat(fields.get("RateLimit")).contains("r=99999999999999;");
    }

    @ParameterizedTest
    @EnumSource(names = {"ALONE", "EXACT"})
    void aLimitBeyondTheRangeIsRefusedWithItsRuleAndTheRulesInForceStay(Place place) throws IOException {
        RateLimitEngine engine = engine(place);
        write("  - { name: beyond, limits: 9223372036854775807 per 1d }\n");
        await().untilAsserted(() -> assertThat(engine.rulesStatus().error())
                .contains("'beyond'", "9223372036854775807", "999999999999999"));
        assertThat(decide(place, "/huge header:X-Api-Key=" + UUID.randomUUID()).limits())
                .hasSize(1);
        write("");
        await().until(() -> engine.rulesStatus().error() == null);
    }

    private void write(String more) throws IOException {
        String rules = Arrays.stream(Place.values())
                .map(place -> place.sharing)
                .distinct()
                .map("""
                          - { name: %1$s, match: { path: "/%1$s/bulk" }, sharing: %1$s, limits: 980000000 per 10s }
                          - { name: %1$s-huge, match: { path: "/%1$s/huge" }, sharing: %1$s, limits: 100000000000000 per 1h }
                        """::formatted)
                .collect(Collectors.joining());
        Path next = Files.writeString(directory.resolve("next"), """
                service: orders
                clients: ["header:X-Api-Key"]
                storeTimeout: 10s
                onFailure: closed
                costs:
                  - { operation: bulk, cost: 980000000 }
                  - { operation: half, cost: 490000000 }
                  - { operation: ask, cost: 700000000 }
                rules:
                """ + rules + more);
        Files.move(next, directory.resolve("ratelimit.yaml"), StandardCopyOption.REPLACE_EXISTING);
    }

    private RateLimitEngine start(Consumer<RateLimitEngineBuilder> configuration) {
        RateLimitEngineBuilder host = RateLimitEngine.builder()
                .rules(directory.resolve("ratelimit.yaml").toString())
                .setting("pollInterval", "50ms")
                .timeSource(clock);
        configuration.accept(host);
        RateLimitEngine engine = host.build();
        engine.start();
        return engine;
    }

    /** The wait that the client is told, after a look at all numbers. */
    private String retryAfter(Place place, String request) {
        Decision decision = decide(place, request);
        Map<String, String> fields = fields(decision);
        assertThat(decision.remaining()).isBetween(0L, 980_000_000L);
        assertThat(fields.get("X-RateLimit-Remaining")).isEqualTo(Long.toString(decision.remaining()));
        assertThat(fields.values()).noneMatch(value -> value.matches(".*(-\\d|\\d{16}|\\dE\\d).*"));
        assertThat(decision.allowed()).isEqualTo(!fields.containsKey("Retry-After"));
        return fields.getOrDefault("Retry-After", "none");
    }

    private Decision decide(Place place, String request) {
        return engine(place).limiter().decide(DescribedRequest.parse("GET /" + place.sharing + request));
    }

    private Map<String, String> fields(Decision decision) {
        return answers.fields(decision).stream().collect(Collectors.toMap(HeaderField::name, HeaderField::value));
    }

    private RateLimitEngine engine(Place place) {
        return place == Place.ALONE ? alone : sharing;
    }
}
