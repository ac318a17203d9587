package io.ratelimit.server.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ratelimit.server.process.DaemonLoad.Asked;
import io.ratelimit.server.process.DaemonLoad.Outcome;
import io.ratelimit.server.web.FreePort;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two daemons that share buckets, asked over HTTP by callers of both. */
@Tag("cluster")
class DaemonClusterIT {

    private static final int LIMIT = 200;
    private static final int USERS = 8;

    /** Longer than machines that are busy with tests pause, so that the shared buckets alone decide. */
    private static final Duration PATIENT = Duration.ofSeconds(3);

    private static final Duration STRICT = Duration.ofSeconds(1);

    /** Nothing refills while a test runs. */
    private static final String RULES = """
            service: shop
            rules:
              - { name: exact, match: { path: /exact }, key: user, limits: 200/d, storeTimeout: 2s }
              - { name: leased, match: { path: /leased }, key: user, limits: 200/d, storeTimeout: 2s, sharing: leased }
              - { name: local, match: { path: /local }, key: user, limits: 200/d, storeTimeout: 50ms }
              - { name: open, match: { path: /open }, key: user, limits: 200/d, storeTimeout: 50ms, onFailure: open }
              - { name: closed, match: { path: /closed }, key: user, limits: 200/d, storeTimeout: 50ms, onFailure: closed }
            """;

    private static final Figures FIGURES = new Figures("daemons.txt");

    @TempDir
    private Path directory;

    private final List<ServerProcess> started = new ArrayList<>();
    private int memberPort;
    private int otherMemberPort;

    @BeforeEach
    void prepare() throws IOException {
        Files.writeString(directory.resolve("rules.yaml"), RULES);
        memberPort = FreePort.find();
        otherMemberPort = FreePort.find();
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (ServerProcess daemon : started) {
            daemon.close();
        }
    }

    private ServerProcess member(int own) throws IOException {
        return start(
                "--cluster",
                "daemons-" + memberPort,
                "--join",
                "127.0.0.1:" + memberPort + ",127.0.0.1:" + otherMemberPort,
                "--set",
                "memberPort=" + own);
    }

    private ServerProcess start(String... flags) throws IOException {
        List<String> all = new ArrayList<>(List.of("--rules", "rules.yaml", "--set", "logRefusals=0"));
        all.addAll(Arrays.asList(flags));
        ServerProcess daemon = ServerProcess.daemon(directory, all.toArray(String[]::new));
        started.add(daemon);
        return daemon;
    }

    private static List<String> users(String name) {
        return IntStream.range(0, USERS).mapToObj(i -> name + "-" + i).toList();
    }

    @Test
    void exactlyTheLimitPassesAcrossBoth() throws Exception {
        ServerProcess one = member(memberPort);
        ServerProcess other = member(otherMemberPort);

        requireExact("exact", one, other);

        List<Asked> leased = askBeyondTheLimit("/leased", users("leased"), one, other);
        requireOnly(leased, Outcome.PASSED, Outcome.REFUSED);
        for (String user : users("leased")) {
            assertThat(passed(leased, user)).isBetween((long) LIMIT * 7 / 8, (long) LIMIT);
        }
        FIGURES.add("leased, each of %d users at two daemons: %d to %d of %d passed; %s"
                .formatted(USERS, least(leased, "leased"), most(leased, "leased"), LIMIT, times(leased)));
    }

    /** Asks for twice what may pass. */
    private static List<Asked> askBeyondTheLimit(String path, List<String> users, ServerProcess... daemons)
            throws Exception {
        try (DaemonLoad load = load(PATIENT, List.of(path), users, daemons)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > 2 * LIMIT * users.size());
            return load.stop();
        }
    }

    private static DaemonLoad load(
            Duration deadline, List<String> paths, List<String> users, ServerProcess... daemons) {
        return DaemonLoad.start(
                deadline,
                paths,
                users,
                Arrays.stream(daemons).map(ServerProcess::url).toArray(URI[]::new));
    }

    private static void requireExact(String name, ServerProcess... daemons) throws Exception {
        List<Asked> asked = askBeyondTheLimit("/exact", users(name), daemons);
        requireOnly(asked, Outcome.PASSED, Outcome.REFUSED);
        for (ServerProcess daemon : daemons) {
            assertThat(asked).anyMatch(at(daemon).and(one -> one.outcome().passed()));
        }
        for (String user : users(name)) {
            assertThat(passed(asked, user)).as(user).isEqualTo(LIMIT);
        }
        FIGURES.add("%s, each of %d users at two daemons: %d to %d of %d passed; %s"
                .formatted(name, USERS, least(asked, name), most(asked, name), LIMIT, times(asked)));
    }

    private static Predicate<Asked> at(ServerProcess daemon) {
        return asked -> asked.daemon().equals(daemon.url());
    }

    private static long passed(List<Asked> asked, String user) {
        return asked.stream()
                .filter(one -> one.user().equals(user) && one.outcome().passed())
                .count();
    }

    private static long least(List<Asked> asked, String name) {
        return users(name).stream().mapToLong(user -> passed(asked, user)).min().orElse(0);
    }

    private static long most(List<Asked> asked, String name) {
        return users(name).stream().mapToLong(user -> passed(asked, user)).max().orElse(0);
    }

    private static String times(List<Asked> asked) {
        double[] sorted = asked.stream().mapToDouble(Asked::millis).sorted().toArray();
        return "%d requests, p50 %.1f ms, p99 %.1f ms, longest %.0f ms"
                .formatted(
                        sorted.length,
                        sorted[sorted.length / 2],
                        sorted[(int) (sorted.length * 0.99)],
                        sorted[sorted.length - 1]);
    }

    private static void requireOnly(List<Asked> asked, Outcome... outcomes) {
        assertThat(those(asked, one -> !List.of(outcomes).contains(one.outcome())))
                .isEmpty();
    }

    private static List<Asked> those(List<Asked> asked, Predicate<Asked> which) {
        return asked.stream().filter(which).toList();
    }

    @Test
    void whenOneIsKilledTheOtherGoesOnAndItJoinsAgain() throws Exception {
        ServerProcess killed = member(memberPort);
        ServerProcess other = member(otherMemberPort);
        List<Asked> asked;
        long kill;
        try (DaemonLoad load = load(PATIENT, List.of("/exact"), users("killed"), killed, other)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > LIMIT * USERS / 2);
            kill = System.nanoTime();
            killed.kill();
            Thread.sleep(1_000);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > 4 * LIMIT * USERS);
            asked = load.stop();
        }

        List<Asked> atOther = those(asked, at(other));
        requireOnly(atOther, Outcome.PASSED, Outcome.REFUSED);
        List<Asked> after = those(atOther, one -> one.begin() + one.nanos() > kill);
        for (String user : users("killed")) {
            // What the killed one had charged in its last moment may be lost with it.
            long last = those(
                            asked,
                            at(killed)
                                    .and(one -> one.user().equals(user)
                                            && one.outcome().passed()))
                    .stream()
                    .filter(one -> one.begin() > kill - Duration.ofSeconds(1).toNanos())
                    .count();
            assertThat(passed(asked, user)).as(user).isBetween(LIMIT - 10L, LIMIT + last);
        }
        FIGURES.add("killed, each of %d users: %d to %d of %d passed; at the other from the kill on: %s"
                .formatted(USERS, least(asked, "killed"), most(asked, "killed"), LIMIT, times(after)));

        int logged = killed.log().length();
        killed.restart();

        assertThat(killed.log().substring(logged)).contains("is up, 2 in all");
        requireExact("joined again", killed, other);
    }

    @Test
    void callersOfTheOtherHardlyNoticeThatOneIsFrozen() throws Exception {
        ServerProcess frozen = member(memberPort);
        ServerProcess other = member(otherMemberPort);
        assertThat(other.log()).contains("2 in all");
        List<String> paths = List.of("/local", "/open", "/closed");
        List<Asked> asked;
        long freeze;
        long thaw;
        try (DaemonLoad load = load(STRICT, paths, users("frozen"), frozen, other)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > 600);
            frozen.freeze();
            freeze = System.nanoTime();
            Awaitility.await()
                    .atMost(Duration.ofSeconds(15))
                    .until(() -> paths.stream().allMatch(path -> load.failures(other.url(), path) > 10));
            Thread.sleep(3_000);
            thaw = System.nanoTime();
            frozen.thaw();
            Thread.sleep(2_000);
            asked = load.stop();
        }

        List<Asked> during = those(asked, one -> one.begin() > freeze && one.begin() + one.nanos() < thaw);
        List<Asked> atOther = those(during, at(other));
        assertThat(atOther).extracting(Asked::outcome).doesNotContain(Outcome.LATE, Outcome.GONE, Outcome.BROKEN);
        List<Asked> byFailure = those(atOther, one -> one.outcome().byFailure());
        assertThat(those(byFailure, one -> one.path().equals("/open")))
                .isNotEmpty()
                .allMatch(one -> one.outcome() == Outcome.PASSED_BY_FAILURE);
        assertThat(those(byFailure, one -> one.path().equals("/closed")))
                .isNotEmpty()
                .allMatch(one -> one.outcome() == Outcome.REFUSED_BY_FAILURE
                        && one.detail().equals("503"));
        assertThat(those(byFailure, one -> one.path().equals("/local"))).isNotEmpty();
        for (String user : users("frozen")) {
            assertThat(passed(those(asked, one -> one.path().equals("/local")), user))
                    .as(user)
                    .isLessThanOrEqualTo(2 * LIMIT);
        }
        List<Asked> atFrozen = those(during, at(frozen));
        assertThat(atFrozen)
                .allMatch(one -> one.outcome() == Outcome.LATE)
                .allMatch(one -> one.millis() < STRICT.toMillis() + 1_000);
        FIGURES.add("frozen for %.1f s: at the other %s, %d of them by onFailure; at the frozen one %s"
                .formatted((thaw - freeze) / 1e9, times(atOther), byFailure.size(), times(atFrozen)));

        awaitTheStore(frozen, other);
        requireExact("thawed", frozen, other);
    }

    /** Waits until both ask one another again. */
    private static void awaitTheStore(ServerProcess... daemons) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (DaemonLoad load = load(PATIENT, List.of("/local"), users("back-" + System.nanoTime()), daemons)) {
                Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > 300);
                return load.stop().stream().allMatch(one -> one.outcome() == Outcome.PASSED);
            }
        });
    }

    @Test
    void oneThatIsStoppedGivesAllAnswersAndLosesNoBucket() throws Exception {
        ServerProcess stopped = member(memberPort);
        ServerProcess other = member(otherMemberPort);
        List<Asked> asked;
        long stop;
        Duration took;
        try (DaemonLoad load = load(PATIENT, List.of("/exact"), users("stopped"), stopped, other)) {
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > LIMIT * USERS / 2);
            stop = System.nanoTime();
            int status = stopped.stop();
            took = Duration.ofNanos(System.nanoTime() - stop);
            assertThat(status).isEqualTo(143);
            Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> load.count() > 4 * LIMIT * USERS);
            asked = load.stop();
        }

        assertThat(took).isLessThan(Duration.ofSeconds(5));
        requireOnly(those(asked, at(stopped)), Outcome.PASSED, Outcome.REFUSED, Outcome.GONE);
        requireOnly(those(asked, at(other)), Outcome.PASSED, Outcome.REFUSED);
        for (String user : users("stopped")) {
            assertThat(passed(asked, user)).as(user).isEqualTo(LIMIT);
        }
        List<Asked> meanwhile =
                those(asked, one -> one.begin() + one.nanos() > stop && one.begin() < stop + took.toNanos());
        FIGURES.add("stopped in %d ms, each of %d users: %d to %d of %d passed; at the other meanwhile: %s"
                .formatted(
                        took.toMillis(),
                        USERS,
                        least(asked, "stopped"),
                        most(asked, "stopped"),
                        LIMIT,
                        times(those(meanwhile, at(other)))));
        assertThat(other.endInput()).isZero();
    }

    @Test
    void exactlyTheLimitPassesThroughRedis() throws Exception {
        Optional<File> executable = Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(folder -> new File(folder, "redis-server"))
                .filter(File::canExecute)
                .findFirst();
        assumeTrue(executable.isPresent(), "redis-server is not installed");
        int port = FreePort.find();
        Process redis = new ProcessBuilder(
                        executable.get().getPath(),
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--appendonly",
                        "no")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("redis.log").toFile())
                .start();
        try {
            Awaitility.await().ignoreExceptions().until(() -> {
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                    return socket.isConnected();
                }
            });
            String store = "redis=redis://127.0.0.1:" + port;

            ServerProcess one = start("--set", store);
            ServerProcess other = start("--set", store);

            requireExact("in Redis", one, other);
        } finally {
            redis.destroyForcibly().waitFor();
        }
    }
}
