package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.sample.Caller.Answer;
import io.ratelimit.sample.Load.Sample;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("cluster")
class TwoProcessesIT {

    private static final int CLIENTS = 50;
    private static final int SPENT_BEFORE = 20;
    private static final int THREADS = 8;
    private static final Duration FROZEN = Duration.ofSeconds(30);

    private final Caller caller = new Caller();

    @TempDir
    private Path directory;

    private SampleProcess first;
    private SampleProcess second;

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void joinedProcessesGiveOneClientExactlyItsLimit() {
        start(SharedBudget.rules(directory));
        new SharedBudget(List.of(first.url(), second.url())).assertIsExactIn(3);
        assertThat(second.complaints("ALONE")).isEmpty();
    }

    @Test
    void whatClientsSpentOutlivesAProcessThatIsKilled() throws Exception {
        start(SharedBudget.usualRules(directory));
        spendBefore();
        long killed;
        Load load = busyClients();
        try (load) {
            TimeUnit.SECONDS.sleep(3);
            killed = System.nanoTime();
            first.signal("KILL");
            TimeUnit.SECONDS.sleep(10);
        }

        assertThat(load.all()).allMatch(Sample::isAnswered);
        int lost = lostOf(CLIENTS);
        long busyPassed = load.all().stream().filter(Sample::isPassed).count();
        Figures figures = new Figures("killed-process");
        figures.add("quiet clients: %d of %d spent tokens were lost".formatted(lost, CLIENTS * SPENT_BEFORE));
        figures.add(
                "busy clients: %d passed, %d is the limit of all".formatted(busyPassed, THREADS * SharedBudget.LIMIT));
        report(figures, load, killed, Duration.ofSeconds(10), "after the kill");
        assertThat(lost).as("tokens that quiet clients got a second time").isZero();
    }

    @Test
    void aFrozenProcessDoesNotFreezeTheOther() throws Exception {
        start(SharedBudget.usualRules(directory));
        spendBefore();
        long frozen;
        long thawed;
        Load load = busyClients();
        try (load) {
            TimeUnit.SECONDS.sleep(3);
            frozen = System.nanoTime();
            first.signal("STOP");
            try {
                TimeUnit.MILLISECONDS.sleep(FROZEN.toMillis());
            } finally {
                thawed = System.nanoTime();
                first.signal("CONT");
            }
            TimeUnit.SECONDS.sleep(5);
        }

        assertThat(load.all()).allMatch(Sample::isAnswered);
        Figures figures = new Figures("frozen-process");
        figures.addLatencies("before", latencies(load.between(frozen - 2_000_000_000L, frozen)));
        report(figures, load, frozen, FROZEN, "after the freeze");
        figures.addLatencies("after the thaw", latencies(load.between(thawed, System.nanoTime())));
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThat(caller.get(first.url() + "/api/orders", key("thawed"))
                                .isPassed())
                        .isTrue());
        List<Duration> during = latencies(load.between(frozen, thawed));
        assertThat(during).allMatch(took -> took.compareTo(Duration.ofSeconds(2)) < 0);
    }

    private void start(RulesFile file) {
        String rules = file.toString();
        first = SampleProcess.start(
                        "--port", "" + FreePorts.consecutive(1),
                        "--member-port", "" + FreePorts.consecutive(1),
                        "--rules", rules)
                .awaitReady();
        second = SampleProcess.start(
                        "--port",
                        "" + FreePorts.consecutive(1),
                        "--member-port",
                        "" + FreePorts.consecutive(1),
                        "--rules",
                        rules,
                        "--join",
                        first.members().get(0))
                .awaitReady();
    }

    /** What quiet clients spend at both processes while all is well. */
    private void spendBefore() {
        List<Answer> answers = caller.many(CLIENTS * SPENT_BEFORE, THREADS, i -> {
            SampleProcess at = (i / CLIENTS) % 2 == 0 ? first : second;
            return caller.get(at.url() + "/api/orders", key("quiet-" + i % CLIENTS));
        });
        assertThat(answers).allMatch(Answer::isPassed);
    }

    /** What quiet clients can spend at the second process beyond what they had left. */
    private int lostOf(int clients) {
        return IntStream.range(0, clients)
                .map(client -> Math.max(0, drain("quiet-" + client) - (SharedBudget.LIMIT - SPENT_BEFORE)))
                .sum();
    }

    private int drain(String client) {
        int passed = 0;
        while (caller.get(second.url() + "/api/orders", key(client)).isPassed()) {
            passed++;
        }
        return passed;
    }

    private Load busyClients() {
        return new Load(THREADS, thread -> caller.get(second.url() + "/api/orders", key("busy-" + thread)));
    }

    private static void report(Figures figures, Load load, long from, Duration length, String when) {
        long second = TimeUnit.SECONDS.toNanos(1);
        figures.addLatencies("first second " + when, latencies(load.between(from, from + second)));
        figures.addLatencies("seconds 2 to 5 " + when, latencies(load.between(from + second, from + 5 * second)));
        figures.addLatencies("later", latencies(load.between(from + 5 * second, from + length.toNanos())));
    }

    private static List<Duration> latencies(List<Sample> samples) {
        return samples.stream().map(Sample::took).toList();
    }
}
