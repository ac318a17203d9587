package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.benchmarks.simulation.Findings.Figure;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {

    @ParameterizedTest
    @ValueSource(strings = {"mesh", "gossip", "leader"})
    void theSameSeedGivesTheSameRun(String topology) {
        String[] options = {"--hosts=5", "--loss=0.2", "--repeats=0.1", "--restarts=20", "--settling=2", "--duration=3"
        };
        Findings once = run(topology, options);
        assertThat(run(topology, options).withoutSeconds()).isEqualTo(once.withoutSeconds());
        assertThat(run(topology, with(options, "--seed=2")).withoutSeconds()).isNotEqualTo(once.withoutSeconds());
    }

    @ParameterizedTest
    @CsvSource({"mesh, 2", "mesh, 10", "gossip, 2", "gossip, 10", "leader, 2", "leader, 10"})
    void theLimitHoldsInTheLongRunThoughMessagesAreLost(String topology, int load) {
        Findings found = run(topology, "--hosts=3", "--loss=0.3", "--load=" + load, "--duration=40");
        assertThat(found.get(Figure.LONG_RUN)).isBetween(0.99, 1.01);
        assertThat(found.get(Figure.TREND)).isBetween(0.99, 1.01);
    }

    @ParameterizedTest
    @ValueSource(strings = {"mesh", "gossip", "leader"})
    void hostsThatHearNothingAdmitTheLimitEach(String topology) {
        Findings found = run(topology, "--hosts=3", "--loss=1", "--load=10", "--duration=6");
        assertThat(found.get(Figure.LONG_RUN)).isBetween(2.95, 3.05);
        assertThat(found.get(Figure.TREND)).isBetween(2.95, 3.05);
        assertThat(found.get(Figure.PROBES)).isZero();
        assertThat(found.get(Figure.UNKNOWN_PROBES)).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"mesh", "gossip", "leader"})
    void theExcessOfABurstIsBelowItsBound(String topology) {
        Findings found = run(topology, "--hosts=10", "--load=10", "--settling=5", "--duration=1");
        assertThat(found.get(Figure.EXCESS)).isPositive().isLessThan(found.get(Figure.BOUND));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mesh", "gossip", "leader"})
    void whoStaysBelowTheLimitIsNotRefused(String topology) {
        Findings found = run(topology, "--hosts=5", "--load=0.5", "--duration=10");
        assertThat(found.get(Figure.ASKED_BELOW)).isGreaterThan(900);
        assertThat(found.get(Figure.REFUSED_BELOW)).isZero();
        assertThat(found.get(Figure.LONG_RUN)).isNaN();
        assertThat(found.get(Figure.TREND)).isNaN();
    }

    @ParameterizedTest
    @ValueSource(strings = {"gossip", "leader"})
    void aHostOfALargeGroupTellsAboutAsMuchAsOneOfASmallOne(String topology) {
        double few = run(topology, "--hosts=10", "--settling=2", "--duration=3").get(Figure.MESSAGES);
        double many = run(topology, "--hosts=50", "--limit=200", "--settling=2", "--duration=3")
                .get(Figure.MESSAGES);
        assertThat(many).isLessThan(90).isLessThan(3 * few);
    }

    @ParameterizedTest
    @CsvSource({"3, 39", "6, 95"})
    void aHostOfAMeshTellsAllOthersInEachPeriod(int hosts, double messages) {
        Findings found = run("mesh", "--hosts=" + hosts, "--limit=1000", "--load=2", "--duration=5");
        assertThat(found.get(Figure.MESSAGES)).isBetween(messages - 2, 20.2 * (hosts - 1));
    }

    private static Findings run(String topology, String... options) {
        return new Simulation(Scenario.of(List.of(with(options, "--topology=" + topology)))).run();
    }

    private static String[] with(String[] options, String one) {
        List<String> more = new ArrayList<>(List.of(options));
        more.add(one);
        return more.toArray(String[]::new);
    }
}
