package io.ratelimit.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("cluster")
class StartAndStopIT {

    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Duration GONE_WITHIN = Duration.ofSeconds(5);
    private static final Duration SOON = Duration.ofSeconds(20);

    private final Caller caller = new Caller();

    @Test
    void threeNodesSayWhereTheyAreAndNothingElse() throws Exception {
        int port = FreePorts.consecutive(3);
        int memberPort = FreePorts.consecutive(4);
        try (ServerSocket taken = new ServerSocket(memberPort + 1, 1, InetAddress.getLoopbackAddress());
                SampleProcess sample =
                        SampleProcess.start("--nodes", "3", "--port", "" + port, "--member-port", "" + memberPort)) {
            assertThat(taken.isBound()).isTrue();
            sample.awaitReady();

            assertThat(sample.out())
                    .containsExactly(
                            "member 127.0.0.1:" + memberPort,
                            "member 127.0.0.1:" + (memberPort + 2),
                            "member 127.0.0.1:" + (memberPort + 3),
                            "READY http://127.0.0.1:%d http://127.0.0.1:%d http://127.0.0.1:%d"
                                    .formatted(port, port + 1, port + 2));
            for (String url : sample.urls()) {
                assertThat(caller.get(url + "/health").isPassed()).isTrue();
            }
            assertThat(sample.complaints("")).isEmpty();
            assertThat(sample.timeToReady()).isLessThan(READY_WITHIN);
            new Figures("start-3-nodes")
                    .add("READY after " + sample.timeToReady().toMillis() + " ms");
            assertIsGoneSoonAfter("TERM", sample, port, 3, "stop-3-nodes");
        }
    }

    @Test
    void oneNodeGoesAtCtrlC() throws Exception {
        int port = FreePorts.consecutive(1);
        try (SampleProcess sample = SampleProcess.start(
                        "--port", "" + port, "--member-port", "" + FreePorts.consecutive(1))
                .awaitReady()) {
            new Figures("start-1-node")
                    .add("READY after " + sample.timeToReady().toMillis() + " ms");
            assertIsGoneSoonAfter("INT", sample, port, 1, "stop-1-node");
        }
    }

    @Test
    void aNodeByItselfHasNoMember() throws Exception {
        int port = FreePorts.consecutive(1);
        try (SampleProcess sample =
                SampleProcess.start("--host-only", "--port", "" + port).awaitReady()) {
            assertThat(sample.out()).containsExactly("READY http://127.0.0.1:" + port);
            assertIsGoneSoonAfter("TERM", sample, port, 1, "stop-host-only");
        }
    }

    @Test
    void aTakenPortIsOneLineAndStatusTwo() throws Exception {
        int port = FreePorts.consecutive(3);
        try (ServerSocket taken = new ServerSocket(port + 2, 1, InetAddress.getLoopbackAddress());
                SampleProcess sample = SampleProcess.start("--nodes", "3", "--port", "" + port)) {
            assertThat(sample.awaitEnd(SOON)).isEqualTo(2);
            assertThat(sample.err()).singleElement().asString().contains("port " + taken.getLocalPort());
            assertThat(sample.out()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--prot 8080",
                "--port eighty",
                "--nodes 0",
                "--join nowhere",
                "--join 127.0.0.1:5701 --host-only",
                "--rules ftp://127.0.0.1/rules.yaml",
                "orders"
            })
    void aWrongFlagIsOneLineAndStatusTwo(String flags) throws Exception {
        try (SampleProcess sample = SampleProcess.start(flags.split(" "))) {
            assertThat(sample.awaitEnd(SOON)).isEqualTo(2);
            assertThat(sample.err()).singleElement().asString().startsWith("sample-app: ");
            assertThat(sample.out()).isEmpty();
        }
    }

    @Test
    void whereNobodyAnswersTheNodeRunsAloneAndSaysSo() {
        String nobody = "127.0.0.1:" + FreePorts.consecutive(1);
        try (SampleProcess sample = SampleProcess.start(
                        "--port", "" + FreePorts.consecutive(1),
                        "--member-port", "" + FreePorts.consecutive(1),
                        "--join", nobody)
                .awaitReady()) {
            assertThat(sample.complaints("ALONE")).singleElement().asString().contains(nobody);
            assertThat(sample.complaints("")).hasSize(1);
            assertThat(caller.get(sample.url() + "/api/orders").isLimited()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"missing", "broken", "a directory"})
    void withoutRulesTheSampleStartsOpenAndSaysSo(String what, @TempDir Path directory) throws Exception {
        Path rules = directory.resolve("rules.yaml");
        if (what.equals("broken")) {
            Files.writeString(rules, "service: orders\nrules:\n  - nmae: everyone\n");
        } else if (what.equals("a directory")) {
            Files.createDirectory(rules);
        }
        try (SampleProcess sample = SampleProcess.start(
                        "--host-only", "--port", "" + FreePorts.consecutive(1), "--rules", rules.toString())
                .awaitReady()) {
            assertThat(sample.complaints("WITHOUT RATE LIMITS")).hasSize(1);
            assertThat(sample.complaints("rules.yaml")).isNotEmpty();
            for (int i = 0; i < 20; i++) {
                assertThat(caller.get(sample.url() + "/hello").isPassed()).isTrue();
            }
        }
    }

    private static void assertIsGoneSoonAfter(
            String signal, SampleProcess sample, int firstPort, int ports, String figure) throws Exception {
        List<String> before = sample.err();
        long sent = System.nanoTime();
        sample.signal(signal);
        sample.awaitEnd(GONE_WITHIN);
        new Figures(figure).add("gone " + (System.nanoTime() - sent) / 1_000_000 + " ms after SIG" + signal);
        List<String> since = sample.err().subList(before.size(), sample.err().size());
        assertThat(since).noneMatch(line -> line.startsWith("\tat ") || line.startsWith("Caused by"));
        for (int port = firstPort; port < firstPort + ports; port++) {
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                assertThat(free.isBound()).isTrue();
            }
        }
    }
}
