package io.ratelimit.sample;

import static io.ratelimit.sample.Caller.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.sample.Caller.Answer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Processes that tell one another what was spent, without a store. */
@Tag("cluster")
class GroupIT {

    /** As four a second are, but slow enough for a busy machine. */
    private static final String FOUR = "- { name: everyone, match: { path: /api/orders/** }, limits: 4 per 60s }";

    private static final int SECONDS_PER_TOKEN = 15;
    private static final int SLACK_SECONDS = 10;
    private static final int KNOWN_EVERYWHERE_SECONDS = 1;
    private static final int OUT_OF_THE_GROUP_SECONDS = 6;

    private final Caller caller = new Caller();
    private final int memberPort = FreePorts.consecutive(10);
    private final List<SampleProcess> hosts = new ArrayList<>();
    private RulesFile rules;

    @TempDir
    private Path directory;

    @AfterEach
    void stop() {
        hosts.forEach(SampleProcess::close);
    }

    private void start(int count, String... flags) {
        rules = new RulesFile(directory, FOUR);
        for (int i = 0; i < count; i++) {
            startOne(flags);
        }
        awaitHosts(count);
        // What is slow only once.
        caller.many(60, 3, i -> ask(i, "warm-up-" + i));
    }

    private void startOne(String... flags) {
        List<String> all = new ArrayList<>(List.of(
                "--nodes",
                "1",
                "--port",
                "" + FreePorts.consecutive(1),
                "--member-port",
                "" + memberPort,
                "--rules",
                rules.toString()));
        all.addAll(List.of(flags));
        hosts.add(SampleProcess.start(all.toArray(String[]::new)).awaitReady());
    }

    /** All of them know as many, and no more or fewer since. */
    private void awaitHosts(int count) {
        await().atMost(Duration.ofSeconds(40))
                .untilAsserted(() -> assertThat(hosts)
                        .allSatisfy(host -> assertThat(host.err().stream()
                                        .filter(line -> line.contains("Hosts in the group: "))
                                        .reduce((one, next) -> next))
                                .hasValueSatisfying(
                                        line -> assertThat(line).contains("Hosts in the group: " + count + ","))));
    }

    private Answer ask(int host, String client) {
        return caller.get(hosts.get(host % hosts.size()).url() + "/api/orders", key(client));
    }

    @ParameterizedTest
    @CsvSource({"udp, gossip", "udp, leader", "udp, mesh", "tcp, gossip"})
    void whatIsSpentOnOneHostIsKnownOnAllAndAnExcessIsPaidBack(String transport, String topology) throws Exception {
        start(3, "--sharing", "eventual", "--transport", transport, "--topology", topology);
        for (int i = 0; i < 4; i++) {
            assertThat(ask(i, "spread").isPassed()).isTrue();
        }
        TimeUnit.SECONDS.sleep(KNOWN_EVERYWHERE_SECONDS);
        for (int host = 0; host < 3; host++) {
            assertThat(ask(host, "spread").isRefused()).as("host " + host).isTrue();
        }

        // As many of twelve as are there before the hosts have heard of one another, which takes a busy machine a
        // while.
        long passed = caller.many(12, 12, i -> ask(i, "together")).stream()
                .filter(Answer::isPassed)
                .count();
        assertThat(passed).isBetween(5L, 12L);
        TimeUnit.SECONDS.sleep(KNOWN_EVERYWHERE_SECONDS);
        for (int host = 0; host < 3; host++) {
            Answer refused = ask(host, "together");
            assertThat(refused.isRefused()).as("host " + host).isTrue();
            long tooMany = passed - 4;
            assertThat(refused.number("Retry-After"))
                    .as("host " + host)
                    .isBetween((tooMany + 1) * SECONDS_PER_TOKEN - SLACK_SECONDS, (tooMany + 1) * SECONDS_PER_TOKEN);
        }
        assertThat(hosts).allSatisfy(host -> assertThat(host.complaints("")).isEmpty());
    }

    @Test
    void aHostThatIsFrozenLeavesTheOthersTheirLimitAndHearsOfItLater() throws Exception {
        start(3, "--transport", "udp", "--topology", "leader");
        for (int frozen = 0; frozen < 3; frozen++) {
            String client = "client-" + frozen;
            hosts.get(frozen).signal("STOP");
            for (int i = 0; i < 4; i++) {
                assertThat(ask(frozen + 1, client).isPassed()).isTrue();
            }
            TimeUnit.SECONDS.sleep(OUT_OF_THE_GROUP_SECONDS);
            assertThat(ask(frozen + 1, client).isRefused()).isTrue();
            assertHearsOf(client, frozen + 2);
            hosts.get(frozen).signal("CONT");
            awaitHosts(3);
            assertHearsOf(client, frozen);
        }
    }

    /** Whoever has not been asked for a client hears of him when he comes. */
    private void assertHearsOf(String client, int host) throws InterruptedException {
        ask(host, client);
        TimeUnit.SECONDS.sleep(KNOWN_EVERYWHERE_SECONDS);
        assertThat(ask(host, client).isRefused()).isTrue();
    }

    @Test
    void aHostThatIsKilledIsForgottenAndItsSuccessorHearsOfAll() throws Exception {
        start(3, "--transport", "udp", "--topology", "gossip");
        hosts.remove(2).signal("KILL");
        assertThat(ask(0, "alice").isPassed()).isTrue();
        awaitHosts(2);
        startOne("--transport", "udp", "--topology", "gossip");
        awaitHosts(3);
        for (int i = 0; i < 3; i++) {
            assertThat(ask(0, "alice").isPassed()).isTrue();
        }
        TimeUnit.SECONDS.sleep(KNOWN_EVERYWHERE_SECONDS);
        assertThat(ask(2, "alice").isRefused()).isTrue();
    }
}
