package io.ratelimit.server.traffic.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.core.Growth;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.traffic.RecordedRequest;
import io.ratelimit.server.traffic.SampledRequest;
import io.ratelimit.server.traffic.replay.DecidedTraffic.Coming;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a replay predicts is what an engine really does with the same traffic. */
class ReplayedTrafficTest {

    private static final int CLIENTS = 200;
    private static final long LENGTH_MILLIS = 600_000;

    private static final String IN_FORCE = """
            service: orders
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [5/s burst 10, 100/m]
              - name: logins
                match: { path: /login, methods: [POST] }
                limits: [5 per 1m]
                charge: { when: response, status: [401] }
              - name: exports
                match: { path: /api/exports/** }
                limits: [{ tokens: 3, per: 1m, algorithm: sliding-window-counter }]
            """;

    private static final String DRAFT = """
            service: orders
            rules:
              - name: everyone
                match: { path: /api/** }
                limits: [3/s burst 12, 70/m]
              - name: logins
                match: { path: /login, methods: [POST] }
                limits: [8 per 1m]
                charge: { when: response, status: [401, 403] }
              - name: exports
                match: { path: /api/exports/** }
                limits: [{ tokens: 2, per: 30s, algorithm: fixed-window }]
            """;

    private final List<Coming> traffic = traffic(7);
    private final List<RecordedRequest> recorded = DecidedTraffic.decide(IN_FORCE, traffic);

    @Test
    void theReplayPredictsWhatAnEngineDoes() {
        List<RecordedRequest> reallyUnderDraft = DecidedTraffic.decide(DRAFT, traffic);

        ReplayResult result = replay(sample(1, new SplittableRandom(1)));

        assertThat(refused(recorded)).isGreaterThan(1_000);
        assertThat(refused(reallyUnderDraft)).isGreaterThan(1_000).isNotEqualTo(refused(recorded));
        assertThat(result.lookedAt()).isEqualTo(traffic.size());
        assertThat(result.reallyRefused()).isEqualTo(new Estimate(refused(recorded), 0));
        assertThat(result.inForce().refused()).isEqualTo(new Estimate(refused(recorded), 0));
        assertThat(result.draft().refused()).isEqualTo(new Estimate(refused(reallyUnderDraft), 0));
        assertThat(result.warmUp().passed()).isEqualTo(new Estimate(0, 0));
        for (RuleReplay rule : result.rules()) {
            assertThat(rule.draft()).isNotNull();
            assertThat(rule.draft().figures().refused().count()).as(rule.rule()).isPositive();
        }
    }

    @Test
    void aShareOfTheClientsPredictsItWithinTheErrorThatItTells() {
        double truth = refused(DecidedTraffic.decide(DRAFT, traffic));
        double squares = 0;
        int samples = 25;
        SplittableRandom random = new SplittableRandom(3);
        for (int sample = 0; sample < samples; sample++) {
            Estimate predicted = replay(sample(0.25, random)).draft().refused();
            double standardError = predicted.count() * predicted.relativeError();
            assertThat(predicted.relativeError()).isBetween(0.05, 0.5);
            double off = (predicted.count() - truth) / standardError;
            assertThat(Math.abs(off)).as("sample " + sample).isLessThan(4);
            squares += off * off;
        }
        // Neither more nor less sure of itself than it can be.
        assertThat(Math.sqrt(squares / samples)).isBetween(0.5, 1.5);
    }

    @Test
    void aHundredThousandRequestsAgainstTenRulesTakeTimeThatGrowsWithTheirNumber() {
        RuleSet rules = Rules.of(IntStream.range(0, 10)
                .mapToObj(i -> "  - { name: rule-" + i + ", match: { path: /api/** }, limits: [" + (20 + i) + "/s] }\n")
                .collect(Collectors.joining("", "service: orders\nrules:\n", "")));
        Replay replay = new Replay(rules, rules, Instant.EPOCH, new ManualTimeSource());

        assertThat(Growth.upTo(100_000, size -> {
                    List<SampledRequest> recording = IntStream.range(0, size)
                            .mapToObj(i -> Recorded.get("/api/orders", "user-" + i % (size / 20), i / 200)
                                    .whole())
                            .toList();
                    return () -> assertThat(replay.run(recording).lookedAt()).isEqualTo(size);
                }))
                .isLessThan(Growth.NEARLY_LINEAR);
    }

    private static ReplayResult replay(List<SampledRequest> recording) {
        return new Replay(Rules.of(DRAFT), Rules.of(IN_FORCE), Instant.EPOCH, new ManualTimeSource()).run(recording);
    }

    /** The requests of a share of the clients, each of which is in it or out of it as a whole. */
    private List<SampledRequest> sample(double share, SplittableRandom random) {
        Set<String> in = new HashSet<>();
        for (int client = 0; client < CLIENTS; client++) {
            if (random.nextDouble() < share) {
                in.add("user-" + client);
            }
        }
        return recorded.stream()
                .filter(request -> in.contains(request.user()))
                .map(request -> new SampledRequest(request, share))
                .toList();
    }

    private static long refused(List<RecordedRequest> requests) {
        return requests.stream().filter(RecordedRequest::refused).count();
    }

    /** Clients that come in bursts, some much more often than others; some never get their password right. */
    private static List<Coming> traffic(long seed) {
        Random random = new Random(seed);
        List<Coming> all = new ArrayList<>();
        for (int client = 0; client < CLIENTS; client++) {
            long pause = 15_000L + random.nextInt(90_000);
            for (long burst = random.nextInt(20_000);
                    burst < LENGTH_MILLIS;
                    burst += 1 + (long) (pause * random.nextDouble() * 2)) {
                int size = 1 + random.nextInt(25);
                for (int i = 0; i < size; i++) {
                    all.add(coming(burst + random.nextInt(3_000), client, random.nextInt(10)));
                }
            }
        }
        all.sort(Comparator.comparingLong(Coming::millis));
        return all;
    }

    private static Coming coming(long millis, int client, int kind) {
        String user = "user-" + client;
        return switch (kind) {
            case 0, 1 -> new Coming(millis, "POST", "/login", user, client % 3 == 0 ? 401 : 200, 30 + client % 50);
            case 2 -> new Coming(millis, "GET", "/api/exports/1", user, 200, 900);
            case 3 -> new Coming(millis, "GET", "/health", user, 200, 1);
            default -> new Coming(millis, "GET", "/api/orders", user, 200, 5 + client % 20);
        };
    }
}
