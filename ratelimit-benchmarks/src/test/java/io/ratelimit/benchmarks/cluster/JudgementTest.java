package io.ratelimit.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ratelimit.benchmarks.cluster.Request.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JudgementTest {

    private static final long SECOND = 1_000_000_000L;

    @TempDir
    private Path directory;

    private final List<Request> requests = new ArrayList<>();

    @Test
    void whatTheLimitAllowsIsNoExcess() throws IOException {
        admitted(4, 0);
        admitted(4, SECOND);
        Judgement judged = judge("exact");
        assertThat(judged.excess()).isZero();
        assertThat(judged.admitted()).isEqualTo(8);
    }

    @Test
    void theExcessIsThatOfTheWorstTime() throws IOException {
        admitted(4, 0);
        admitted(3, SECOND / 2);
        admitted(1, 10 * SECOND);
        assertThat(judge("exact").excess()).isCloseTo(1, within(1e-6));
    }

    @Test
    void whatMayHaveBeenDecidedAtAnotherTimeProvesNothing() throws IOException {
        admitted(4, 0);
        requests.add(new Request(0, 0, SECOND, Outcome.ADMITTED));
        assertThat(judge("exact").excess()).isZero();
        assertThat(judge("exact").ofBound()).isCloseTo(1, within(1e-6));
    }

    @Test
    void aRefusalIsNotFalseIfTheBucketMayHaveBeenFullUntilTheChargesBefore() throws IOException {
        for (int i = 0; i < 4; i++) {
            requests.add(new Request(0, 0, SECOND, Outcome.ADMITTED));
        }
        requests.add(new Request(0, SECOND, SECOND, Outcome.REFUSED));
        assertThat(judge("exact").falseRefusals()).isZero();
        requests.add(new Request(0, SECOND + SECOND / 2, SECOND + SECOND / 2, Outcome.REFUSED));
        assertThat(judge("exact").falseRefusals()).isEqualTo(1);
    }

    @Test
    void everyCombinationOfAMatrixIsAScenarioOnAClusterOfItsHosts() throws IOException {
        List<List<List<Scenario>>> clusters =
                Matrix.read(Path.of("scenarios/bounds.yaml")).clusters();
        assertThat(clusters).extracting(List::size).containsExactly(24, 48, 48, 48);
        assertThat(clusters.get(2)).allMatch(group -> group.get(0).hosts() == 3);
        assertThat(Scenario.rules(clusters.get(0).stream().flatMap(List::stream).toList()))
                .contains("path: /scenarios/23");
    }

    @Test
    void scenariosWithEventsBeginOnAClusterOfTheirOwnEach() throws IOException {
        List<List<List<Scenario>>> clusters =
                Matrix.read(Path.of("scenarios/one-to-five-to-two.yaml")).clusters();
        assertThat(clusters).hasSize(3).allMatch(cluster -> cluster.size() == 1);
    }

    @Test
    void clientsAreJudgedOneByOne() throws IOException {
        admitted(4, 0);
        for (int i = 0; i < 4; i++) {
            requests.add(new Request(1, 0, 1, Outcome.ADMITTED));
        }
        assertThat(judge("exact").excess()).isZero();
    }

    @Test
    void aRefusalIsFalseIfATokenWasThereInAnyOrderOfTheDecisions() throws IOException {
        admitted(2, 0);
        requests.add(new Request(0, 1, 2, Outcome.REFUSED));
        assertThat(judge("exact").falseRefusals()).isEqualTo(1);
        requests.add(new Request(0, 3, 4, Outcome.ADMITTED));
        assertThat(judge("exact").falseRefusals()).isEqualTo(1);
        requests.add(new Request(0, 0, 2, Outcome.ADMITTED));
        assertThat(judge("exact").falseRefusals()).isZero();
    }

    @Test
    void whatLiesIdleInLeasesMayBeRefused() throws IOException {
        admitted(2, 0);
        requests.add(new Request(0, 1, 2, Outcome.REFUSED));
        assertThat(judge("leased").falseRefusals()).isZero();
    }

    @Test
    void whatWasAnsweredWithoutTheBucketsIsCounted() throws IOException {
        requests.add(new Request(0, 0, 5, Outcome.ADMITTED_BY_FAILURE));
        requests.add(new Request(0, 0, 7, Outcome.BROKEN));
        Judgement judged = judge("exact");
        assertThat(judged.unasked()).isEqualTo(1);
        assertThat(judged.broken()).isEqualTo(1);
        assertThat(judged.latency().longest()).isEqualTo(7);
    }

    @Test
    void hostsHaveRecoveredOnceOnFailureAnswersNoMoreThanBefore() {
        for (int second = 0; second < 20; second++) {
            boolean trouble = second >= 3 && second < 8;
            for (int i = 0; i < 200; i++) {
                Outcome outcome = trouble || i == 0 ? Outcome.ADMITTED_BY_FAILURE : Outcome.ADMITTED;
                long sent = second * SECOND + i;
                requests.add(new Request(0, sent, sent + 1, outcome));
            }
        }
        Recording recording = new Recording(0, Map.of(0, requests));
        assertThat(recording.recovery(3, 5)).isEqualTo(3);
        assertThat(recording.recovery(3, 9)).isZero();
    }

    @Test
    void everyScenarioOfTheDirectoryCanBeRead() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("scenarios"))) {
            assertThat(files)
                    .isNotEmpty()
                    .allSatisfy(file -> assertThat(Matrix.read(file)
                                    .clusters()
                                    .get(0)
                                    .get(0)
                                    .get(0)
                                    .name())
                            .isNotBlank());
        }
    }

    private void admitted(int count, long nanos) {
        for (int i = 0; i < count; i++) {
            requests.add(new Request(0, nanos, nanos + 1, Outcome.ADMITTED));
        }
    }

    private Judgement judge(String sharing) throws IOException {
        Path file = Files.writeString(
                directory.resolve("scenario.yaml"),
                "{ name: some, hosts: [1], limits: [{ tokens: 4 }], load: [1], seconds: 1, sharing: [" + sharing
                        + "] }");
        return Judgement.of(Matrix.read(file).clusters().get(0).get(0).get(0), requests);
    }
}
