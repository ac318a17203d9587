package io.ratelimit.server.traffic.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ratelimit.TimeSource;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.traffic.SampledRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ReplayTest {

    private static final Estimate NONE = new Estimate(0, 0);

    private final ManualTimeSource clock = new ManualTimeSource();

    @Test
    void decidesEachRequestAtItsTimeUnderBothSetsOfRules() {
        // Ten in a second, and one more half a minute later.
        List<SampledRequest> recording = burst(10);
        recording.add(Recorded.get("/api", "alice", 30_000).whole());

        ReplayResult result = replay(limits("3 per 1m"), limits("5 per 1m"), recording);

        assertThat(result.from()).isEqualTo(Instant.ofEpochMilli(Recorded.BEGIN));
        assertThat(result.to()).isEqualTo(Instant.ofEpochMilli(Recorded.BEGIN + 30_000));
        assertThat(result.recorded()).isEqualTo(11);
        assertThat(result.lookedAt()).isEqualTo(11);
        assertThat(result.requests()).isEqualTo(exactly(11));
        assertThat(result.reallyRefused()).isEqualTo(NONE);
        assertThat(result.draft()).isEqualTo(new Figures(exactly(4), NONE, exactly(7), NONE));
        assertThat(result.inForce()).isEqualTo(new Figures(exactly(6), NONE, exactly(5), NONE));
        assertThat(result.newlyRefused()).containsExactly(new ClientChange("user=alice", 2));
        assertThat(result.newlyPassed()).isEmpty();
    }

    @Test
    void tellsWhatEachRuleDidAndWhichAreNew() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: everyone
                    limits: [4 per 1m]
                  - name: narrow
                    match: { path: /api/** }
                    limits: [2 per 1m]
                """);
        List<SampledRequest> recording = new ArrayList<>(burst(4));
        IntStream.range(0, 3)
                .forEach(i ->
                        recording.add(Recorded.get("/other", "alice", 500 + i).whole()));
        recording.set(3, Recorded.get("/api", "alice", 3).refused().whole());

        ReplayResult result = replay(draft, limits("1000 per 1m"), recording);

        assertThat(result.rules()).extracting(RuleReplay::rule).containsExactly("everyone", "narrow");
        RuleReplay everyone = result.rules().get(0);
        assertThat(everyone.reallyRefused()).isEqualTo(exactly(1));
        assertThat(everyone.inForce())
                .isEqualTo(new RuleFigures(Basis.WHOLE, exactly(7), new Figures(exactly(7), NONE, NONE, NONE)));
        // Two of the seven are refused by the narrow rule and charged nowhere.
        assertThat(everyone.draft())
                .isEqualTo(new RuleFigures(Basis.WHOLE, exactly(7), new Figures(exactly(4), NONE, exactly(1), NONE)));
        RuleReplay narrow = result.rules().get(1);
        assertThat(narrow.inForce()).isNull();
        assertThat(narrow.draft())
                .isEqualTo(new RuleFigures(Basis.WHOLE, exactly(4), new Figures(exactly(2), NONE, exactly(2), NONE)));
    }

    @Test
    void namesTheTwentyClientsForWhomMostChanges() {
        List<SampledRequest> recording = new ArrayList<>();
        for (int client = 0; client < 30; client++) {
            for (int i = 0; i <= client; i++) {
                recording.add(Recorded.get("/api", "user-" + client, 0).whole());
            }
        }

        ReplayResult result = replay(limits("1000 per 1m"), limits("1 per 1m"), recording);

        assertThat(result.newlyRefused()).isEmpty();
        assertThat(result.newlyPassed())
                .hasSize(20)
                .startsWith(new ClientChange("user=user-29", 29), new ClientChange("user=user-28", 28));
    }

    @Test
    void rulesThatChargeByTheResponseAreSettledByTheRecordedStatus() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: failures
                    limits: [2 per 1m]
                    charge: { when: response, status: [401] }
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/login", "alice", 0).answered(200, 100).whole(),
                Recorded.get("/login", "alice", 1).answered(401, 100).whole(),
                // Both are reserved for: one is refunded before the next comes.
                Recorded.get("/login", "alice", 99).answered(200, 100).whole(),
                Recorded.get("/login", "alice", 100).answered(401, 100).whole(),
                Recorded.get("/login", "alice", 300).answered(200, 100).whole());

        ReplayResult result = replay(draft, RuleSet.open("orders"), recording);

        assertThat(result.draft()).isEqualTo(new Figures(exactly(3), NONE, exactly(2), NONE));
        assertThat(result.inForce().refused()).isEqualTo(NONE);
    }

    @Test
    void whatHostsRefusedIsTakenToBeAnsweredAsBefore() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: failures
                    limits: [2 per 1m]
                    charge: { when: response, status: [401] }
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/login", "alice", 0).refused().whole(),
                Recorded.get("/login", "alice", 1_000).answered(401, 1).whole(),
                Recorded.get("/login", "alice", 2_000).refused().whole(),
                Recorded.get("/login", "bob", 0).answered(200, 1).whole(),
                Recorded.get("/login", "bob", 2_000).refused().whole(),
                Recorded.get("/login", "bob", 3_000).refused().whole(),
                Recorded.get("/login", "bob", 4_000).refused().whole());

        ReplayResult result = replay(draft, RuleSet.open("orders"), ordered(recording));

        assertThat(result.draft().refused()).isEqualTo(exactly(1));
        assertThat(result.reallyRefused()).isEqualTo(exactly(5));
        assertThat(result.notes()).anyMatch(note -> note.contains("lets 4 of the recorded requests pass"));
    }

    @Test
    void requestsAreUnderWayForAsLongAsTheApplicationTook() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: parallel
                    limits: [{ tokens: 1, algorithm: concurrency }]
                    sharing: host
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/", "alice", 0).answered(200, 50).whole(),
                Recorded.get("/", "alice", 49).answered(200, 50).whole(),
                Recorded.get("/", "alice", 50).answered(null, 50).whole(),
                Recorded.get("/", "alice", 99).answered(200, 50).whole(),
                Recorded.get("/", "alice", 100).answered(200, 50).whole());

        ReplayResult result = replay(draft, RuleSet.open("orders"), recording);

        assertThat(result.draft()).isEqualTo(new Figures(exactly(3), NONE, exactly(2), NONE));
    }

    @Test
    void countsThoseThatWouldWaitAndThoseThatFindNoPlace() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: exports
                    limits: [{ tokens: 1, per: 1s, algorithm: leaky-bucket }]
                    onExceeded: { queue: 2, maxWait: 10s }
                """);
        List<SampledRequest> recording = burst(5);
        // One of the two who wait had its turn after a second.
        recording.add(Recorded.get("/api", "alice", 1_500).whole());
        recording.add(Recorded.get("/api", "alice", 1_500).whole());

        ReplayResult result = replay(draft, RuleSet.open("orders"), recording);

        assertThat(result.draft()).isEqualTo(new Figures(exactly(1), exactly(3), exactly(3), NONE));
        RuleFigures exports = result.rules().get(0).draft();
        assertThat(exports).isNotNull();
        assertThat(exports.figures()).isEqualTo(result.draft());
    }

    @Test
    void aTurnThatComesTooLateIsARefusal() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: exports
                    limits: [{ tokens: 1, per: 1s, algorithm: leaky-bucket }]
                    onExceeded: { queue: 10, maxWait: 2s }
                """);

        assertThat(replay(draft, RuleSet.open("orders"), burst(5)).draft())
                .isEqualTo(new Figures(exactly(1), exactly(2), exactly(2), NONE));
    }

    @Test
    void countsWhatShadowRulesWouldRefuseApart() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: trial
                    limits: [2 per 1m]
                    onExceeded: shadow
                  - name: closed
                    limits: [4 per 1m]
                    onExceeded: drop
                """);

        ReplayResult result = replay(draft, RuleSet.open("orders"), burst(6));

        assertThat(result.draft()).isEqualTo(new Figures(exactly(4), NONE, exactly(2), exactly(2)));
        RuleFigures trial = result.rules().get(0).draft();
        assertThat(trial).isNotNull();
        assertThat(trial.figures()).isEqualTo(new Figures(exactly(2), NONE, NONE, exactly(2)));
    }

    @Test
    void hashedValuesTellClientsApartAndTheAddressIsTheClientsOwn() {
        RuleSet draft = Rules.of("""
                service: orders
                clients: ["header:X-Api-Key", bearer, ip]
                trustedProxies: [192.0.2.0/24]
                rules:
                  - name: everyone
                    limits: [1 per 1m]
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/", "a", 0).header("x-api-key", "#11").whole(),
                Recorded.get("/", "b", 0).header("x-api-key", "#22").whole(),
                Recorded.get("/", "c", 0).header("x-api-key", "#11").whole(),
                Recorded.get("/", "d", 0).header("authorization", "#33").whole(),
                Recorded.get("/", "e", 0).header("authorization", "#44").whole(),
                Recorded.get("/", "f", 0)
                        .header("x-forwarded-for", "198.51.100.1")
                        .whole(),
                Recorded.get("/", "g", 0)
                        .header("x-forwarded-for", "198.51.100.2")
                        .whole());

        assertThat(replay(draft, draft, recording).draft().refused()).isEqualTo(exactly(2));
        assertThat(replay(draft, RuleSet.open("orders"), recording).newlyRefused())
                .extracting(ClientChange::client)
                .containsExactly("user=c", "user=g");
    }

    @Test
    void chargesTheRecordedCostAndOtherwiseThatOfTheRules() {
        RuleSet draft = Rules.of("""
                service: orders
                costs:
                  - { path: /dear, cost: 4 }
                rules:
                  - name: everyone
                    limits: [10 per 1m]
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/dear", "alice", 0).whole(),
                Recorded.get("/dear", "alice", 0).cost(6).whole(),
                Recorded.get("/", "alice", 0).whole());

        assertThat(replay(draft, draft, recording).draft().refused()).isEqualTo(exactly(1));
    }

    @Test
    void scalesCountsUpWhereAShareOfTheClientsWasRecorded() {
        List<SampledRequest> recording = new ArrayList<>();
        for (int client = 0; client < 4; client++) {
            for (int i = 0; i < 3 + client; i++) {
                recording.add(Recorded.get("/", "user-" + client, 0).sampled(0.25));
            }
        }

        ReplayResult result = replay(limits("3 per 1m"), limits("100 per 1m"), recording);

        assertThat(result.requests().count()).isEqualTo(4 * (3 + 4 + 5 + 6));
        assertThat(result.draft().refused().count()).isEqualTo(4 * (1 + 2 + 3));
        // By hand: the square root of 0.75 (1 + 4 + 9), over 1 + 2 + 3.
        assertThat(result.draft().refused().relativeError()).isCloseTo(0.540, within(0.001));
        assertThat(result.newlyRefused()).startsWith(new ClientChange("user=user-3", 12));
        assertThat(result.notes()).anyMatch(note -> note.contains("25.0 % of the clients"));
    }

    @Test
    void aBucketOfTheWholeServiceIsChargedForAllWhomARequestStandsFor() {
        RuleSet draft = Rules.of("""
                service: orders
                rules:
                  - name: whole
                    key: service
                    limits: [100 per 1h]
                """);
        List<SampledRequest> recording = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            recording.add(Recorded.get("/", "user-" + i, 0).sampled(0.4));
        }

        ReplayResult result = replay(draft, RuleSet.open("orders"), recording);

        // 2 or 3 tokens each, 2.5 on the average.
        assertThat(result.draft().allowed().count()).isEqualTo(100);
        assertThat(result.draft().refused().count()).isEqualTo(25);
        assertThat(result.notes()).anyMatch(note -> note.contains("all that it stands for: whole"));
    }

    @Test
    void saysWhichRulesAShareOfTheClientsTellsTooLittleOf() {
        RuleSet draft = Rules.of("""
                service: orders
                clients: [user, ip]
                rules:
                  - name: small
                    key: service
                    limits: [20 per 1h]
                  - name: parallel
                    key: service
                    limits: [{ tokens: 500, algorithm: concurrency }]
                    sharing: host
                  - name: address
                    key: ip
                    limits: [2 per 1h]
                  - name: both
                    key: [ip, user]
                    limits: [2 per 1h]
                  - name: own
                    limits: [2 per 1h]
                """);
        List<SampledRequest> recording = List.of(
                Recorded.get("/", "alice", 0).sampled(0.25),
                Recorded.get("/", "alice", 0).sampled(0.25));

        ReplayResult result = replay(draft, draft, recording);

        assertThat(result.rules())
                .extracting(rule -> rule.draft() == null ? null : rule.draft().basis())
                .containsExactly(Basis.NONE, Basis.NONE, Basis.PARTIAL, Basis.WHOLE, Basis.WHOLE);
        assertThat(result.rules())
                .extracting(rule ->
                        rule.draft() == null ? null : rule.draft().requests().count())
                .containsExactly(0L, 0L, 8L, 8L, 8L);
        assertThat(result.notes())
                .anyMatch(note -> note.contains("left out: parallel, small"))
                .anyMatch(note -> note.contains("share with others") && note.endsWith(": address."));
    }

    @Test
    void tellsApartWhatHostsDecidedUnderTheRulesInForce() {
        List<SampledRequest> recording = burst(10);
        Instant published = Instant.ofEpochMilli(recording.get(6).request().at());

        ReplayResult result =
                new Replay(limits("2 per 1h"), limits("1 per 1h"), published, new ManualTimeSource()).run(recording);

        assertThat(result.requests()).isEqualTo(exactly(10));
        assertThat(result.sincePublished()).isEqualTo(new SincePublished(exactly(4), exactly(0), exactly(4)));
    }

    @Test
    void tellsHowMuchFallsIntoTheTimeInWhichBucketsAreFullerThanTheyWere() {
        List<SampledRequest> recording = List.of(
                Recorded.get("/", "alice", 0).refused().whole(),
                Recorded.get("/", "alice", 59_000).refused().whole(),
                Recorded.get("/", "alice", 119_999).refused().whole(),
                Recorded.get("/", "alice", 120_000).refused().whole(),
                Recorded.get("/", "alice", 400_000).whole());

        WarmUp warmUp = replay(limits("1 per 1m"), limits("1 per 1m burst 2"), recording)
                .warmUp();

        assertThat(warmUp).isEqualTo(new WarmUp(Duration.ofMinutes(2), exactly(3), exactly(3)));
        assertThat(replay(limits("1 per 1d"), limits("1 per 1m"), recording)
                        .warmUp()
                        .length())
                .isEqualTo(Duration.ofSeconds(400));
    }

    @Test
    void endsInTimeAndSaysHowMuchItHasLookedAt() {
        // Each look at the clock takes a second.
        TimeSource slow = new TimeSource() {
            @Override
            public long nanoTime() {
                clock.advance(Duration.ofSeconds(1));
                return clock.nanoTime();
            }

            @Override
            public long currentTimeMillis() {
                return clock.currentTimeMillis();
            }
        };

        ReplayResult result = new Replay(limits("1 per 1m"), limits("1 per 1m"), Instant.EPOCH, slow).run(burst(10));

        assertThat(result.lookedAt()).isEqualTo(4);
        assertThat(result.recorded()).isEqualTo(10);
        assertThat(result.requests()).isEqualTo(exactly(4));
        assertThat(result.notes()).anyMatch(note -> note.contains("after 4 of 10 requests"));
    }

    @Test
    void anEmptyRecordingTellsNothing() {
        ReplayResult result = replay(limits("1 per 1m"), RuleSet.open("orders"), List.of());

        assertThat(result.from()).isNull();
        assertThat(result.requests()).isEqualTo(NONE);
        assertThat(result.notes()).isEmpty();
    }

    private ReplayResult replay(RuleSet draft, RuleSet inForce, List<SampledRequest> recording) {
        return new Replay(draft, inForce, Instant.EPOCH, clock).run(recording);
    }

    private static RuleSet limits(String limit) {
        return Rules.of("service: orders\nrules:\n  - name: everyone\n    limits: [" + limit + "]\n");
    }

    private static Estimate exactly(long count) {
        return new Estimate(count, 0);
    }

    private static List<SampledRequest> burst(int requests) {
        List<SampledRequest> recording = new ArrayList<>();
        for (int i = 0; i < requests; i++) {
            recording.add(Recorded.get("/api", "alice", i).whole());
        }
        return recording;
    }

    private static List<SampledRequest> ordered(List<SampledRequest> recording) {
        return recording.stream()
                .sorted(Comparator.comparingLong(sampled -> sampled.request().at()))
                .toList();
    }
}
