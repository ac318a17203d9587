package io.ratelimit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.Decision.Reason;
import io.ratelimit.RequestContext;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Local limits while the daemon is away and somebody means harm. */
class LocalLimitsUnderAttackTest {

    private static final String RULES = """
            service: orders
            rules:
              - { name: users, match: { path: /api/users }, key: user, limits: 3/h }
              - { name: tiers, match: { path: /api/tiers }, key: "attribute:tier", limits: 3/h }
              - { name: gold, match: { path: /api/gold, attributes: { tier: gold } }, limits: 3/h }
              - { name: keys, match: { path: /api/keys }, key: "header:X-Api-Key", limits: 3/h }
            """;

    @TempDir
    Path directory;

    private StubDaemon daemon;

    @BeforeEach
    void start() throws IOException {
        daemon = new StubDaemon();
        daemon.rules = RULES;
    }

    @AfterEach
    void stop() {
        daemon.close();
    }

    private Path file() {
        return directory.resolve("rules.lastgood");
    }

    private RemoteRateLimiter limiter() {
        return RemoteRateLimiter.of(daemon.address())
                .headers("X-Api-Key")
                .attributes("tier")
                .localLimits(new LocalSettings(file(), 1_000, Duration.ofMillis(50)))
                .build();
    }

    private RemoteRateLimiter limiterWithoutDaemon() {
        RemoteRateLimiter limiter = limiter();
        daemon.close();
        assertThat(allowed(limiter, by("warm-up"))).isEqualTo(3);
        return limiter;
    }

    private static RequestContext by(String user) {
        return Requests.of("GET", "/api/users", user);
    }

    private static RequestContext with(String path, Map<String, List<String>> headers, Map<String, Object> attributes) {
        Map<String, List<String>> lines = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        lines.putAll(headers);
        return new SentRequest(
                "GET", path, null, RequestContext.NO_COST, null, null, lines, Map.of(), attributes, Map.of());
    }

    /** How many of ten pass. */
    private static int allowed(RemoteRateLimiter limiter, RequestContext request) {
        return (int) IntStream.range(0, 10)
                .filter(i -> limiter.decide(request).allowed())
                .count();
    }

    private static long usedAfterCollection() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000",
                "a\r\nX-Injected: 1",
                "\u0001\u0002\u001b[31m",
                "\ud800",
                "\udc00\ud800",
                "\u202eecila",
                "a\u0000b",
                "${jndi:ldap://127.0.0.1/a}",
                "%s%n%x",
                "{{7*7}}",
                "'; drop table users; --",
                "../../../etc/passwd",
            })
    void aKeyOfAnyCharactersIsLimitedLikeAnyOther(String key) {
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            assertThat(allowed(limiter, by(key))).isEqualTo(3);
            assertThat(allowed(limiter, with("/api/keys", Map.of("X-Api-Key", List.of(key)), Map.of())))
                    .isEqualTo(3);
            assertThat(allowed(limiter, with("/api/tiers", Map.of(), Map.of("tier", key))))
                    .isEqualTo(3);
        }
    }

    @Test
    void longKeysAreToldApartAndNotKept() {
        String prefix = "k".repeat(1 << 19);
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            long before = usedAfterCollection();
            for (int i = 0; i < 40; i++) {
                RequestContext request = by(prefix + i);
                assertThat(limiter.decide(request).allowed()).isTrue();
            }
            assertThat(allowed(limiter, by(prefix + 0))).isEqualTo(2);

            assertThat(usedAfterCollection() - before).isLessThan(8L << 20);
        }
    }

    @Test
    void hugeAttributesAndManyHeadersAreNotKept() {
        Map<String, Object> huge = new LinkedHashMap<>();
        IntStream.range(0, 20_000).forEach(i -> huge.put("name-" + i, "value-" + i));
        List<String> lines = Collections.nCopies(20_000, "key");
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            long before = usedAfterCollection();
            for (int i = 0; i < 20; i++) {
                huge.put("name-0", i);
                assertThat(limiter.decide(with(
                                        "/api/tiers", Map.of("X-Api-Key", lines), Map.of("tier", Map.copyOf(huge))))
                                .allowed())
                        .isTrue();
            }

            assertThat(usedAfterCollection() - before).isLessThan(8L << 20);
        }
    }

    /** An attribute that cannot be read as a text. */
    enum Trap {
        FAILS {
            @Override
            String text() {
                throw new IllegalStateException("on purpose");
            }
        },
        OVERFLOWS {
            @Override
            String text() {
                throw new StackOverflowError("on purpose");
            }
        },
        EXHAUSTS {
            @Override
            String text() {
                throw new OutOfMemoryError("on purpose");
            }
        },
        IS_NONE {
            @Override
            String text() {
                return null;
            }
        };

        abstract String text();

        Object attribute() {
            return new Object() {
                @Override
                public String toString() {
                    return text();
                }
            };
        }
    }

    @ParameterizedTest
    @EnumSource(Trap.class)
    void anAttributeThatCannotBeReadLetsTheRequestPass(Trap trap) {
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            for (String path : List.of("/api/tiers", "/api/gold")) {
                RequestContext request = with(path, Map.of(), Map.of("tier", trap.attribute()));

                assertThat(limiter.decide(request).allowed()).isTrue();
                assertThat(limiter.look(request).allowed()).isTrue();
                assertThat(limiter.decideAsync(request)
                                .toCompletableFuture()
                                .join()
                                .allowed())
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Trap.class)
    void anAttributeThatCannotBeReadLetsTheRequestPassWhereADaemonIsThere(Trap trap) {
        try (RemoteRateLimiter limiter = limiter()) {
            RequestContext request = with("/api/tiers", Map.of(), Map.of("tier", trap.attribute()));

            assertThat(limiter.decide(request).allowed()).isTrue();
            assertThat(limiter.decideAsync(request).toCompletableFuture().join().allowed())
                    .isTrue();
            assertThat(limiter.decide(by("alice")).reason()).isEqualTo(Reason.NO_LIMIT);
        }
    }

    @Test
    void whatIsTooLargeForADaemonIsNotHeldForOne() {
        String large = "x".repeat(1 << 20);
        try (RemoteRateLimiter limiter = limiter()) {
            daemon.delay = Duration.ofMillis(300);
            long before = usedAfterCollection();
            List<CompletableFuture<?>> decisions = new ArrayList<>();
            for (int i = 0; i < 16; i++) {
                decisions.add(limiter.decideAsync(by(i + large)).toCompletableFuture());
            }

            assertThat(decisions).allMatch(CompletableFuture::isDone);
            assertThat(usedAfterCollection() - before).isLessThan(8L << 20);
            daemon.delay = Duration.ZERO;
            assertThat(daemon.asked("/v1/decide")).isEmpty();
            assertThat(limiter.decide(by("alice")).reason()).isEqualTo(Reason.NO_LIMIT);
        }
    }

    @Test
    @Tag("cluster")
    void aFloodByManyThreadsKeepsTheHeapFlatAndNobodyWaiting() throws Exception {
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            flood(limiter, 0);
            long before = usedAfterCollection();
            long start = System.nanoTime();
            flood(limiter, 1);
            long nanos = System.nanoTime() - start;

            System.out.printf(
                    "160,000 newcomers by 8 threads: %,d ms, heap %+,d bytes%n",
                    nanos / 1_000_000, usedAfterCollection() - before);
            assertThat(usedAfterCollection() - before).isLessThan(8L << 20);
        }
    }

    private static void flood(RemoteRateLimiter limiter, int round) throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            String prefix = "user-" + round + "-" + t + "-";
            Thread thread = new Thread(() -> IntStream.range(0, 20_000).forEach(i -> limiter.decide(by(prefix + i))));
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** What somebody may do to the file of the last good rules. */
    enum Tampering {
        TRUNCATED {
            @Override
            void on(Path file) throws IOException {
                byte[] bytes = Files.readAllBytes(file);
                Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
            }
        },
        EMPTIED {
            @Override
            void on(Path file) throws IOException {
                Files.write(file, new byte[0]);
            }
        },
        REPLACED {
            @Override
            void on(Path file) throws IOException {
                Files.writeString(file, RULES.replace("3/h", "0/h"));
            }
        },
        CHANGED {
            @Override
            void on(Path file) throws IOException {
                Files.writeString(file, Files.readString(file).replace("3/h", "0/h"));
            }
        },
        ENLARGED {
            @Override
            void on(Path file) throws IOException {
                Files.write(file, new byte[8 << 20]);
            }
        },
        LINKED {
            @Override
            void on(Path file) throws IOException {
                Path target = Files.copy(file, file.resolveSibling("target"));
                Files.delete(file);
                Files.createSymbolicLink(file, target);
            }
        },
        LINKED_TO_NOTHING {
            @Override
            void on(Path file) throws IOException {
                Files.delete(file);
                Files.createSymbolicLink(file, file.resolveSibling("nothing"));
            }
        },
        A_DIRECTORY {
            @Override
            void on(Path file) throws IOException {
                Files.delete(file);
                Files.createDirectory(file);
            }
        };

        abstract void on(Path file) throws IOException;
    }

    @ParameterizedTest
    @EnumSource(Tampering.class)
    void rulesInForceStayWhateverBecomesOfTheirFileAndANewProcessLetsPass(Tampering tampering) throws IOException {
        try (RemoteRateLimiter limiter = limiterWithoutDaemon()) {
            tampering.on(file());

            assertThat(allowed(limiter, by("alice"))).isEqualTo(3);
            try (RemoteRateLimiter next = limiter()) {
                assertThat(allowed(next, by("alice"))).isEqualTo(10);
            }
            assertThat(allowed(limiter, by("bob"))).isEqualTo(3);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Tampering.class,
            names = {"LINKED", "LINKED_TO_NOTHING"})
    void aLinkIsNotWrittenThrough(Tampering tampering) throws IOException {
        limiter().close();
        tampering.on(file());
        Path target = Files.readSymbolicLink(file());
        byte[] before = Files.exists(target) ? Files.readAllBytes(target) : null;
        daemon.rules = RULES.replace("3/h", "5/h");

        try (RemoteRateLimiter limiter = limiter()) {
            daemon.close();
            assertThat(allowed(limiter, by("alice"))).isEqualTo(5);
        }

        assertThat(Files.exists(target) ? Files.readAllBytes(target) : null).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u0000",
                "rules: [",
                "a: &a [x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nrules: [*c,*c]",
                "service: orders\nrules: [{ name: users, limits: 99999999999999999999/s }]",
                "!!javax.script.ScriptEngineManager []",
            })
    void rulesInForceStayWhereTheDaemonTellsNonsense(String nonsense) {
        try (RemoteRateLimiter limiter = limiter()) {
            daemon.rules = nonsense;
            int asked = daemon.asked("/v1/rules").size();
            await().pollDelay(Duration.ZERO)
                    .until(() -> daemon.asked("/v1/rules").size() > asked + 1);
            daemon.close();

            assertThat(allowed(limiter, by("alice"))).isEqualTo(3);
        }
    }

    @Test
    void rulesInForceStayWhereTheDaemonTellsMoreThanRulesCanBe() {
        try (RemoteRateLimiter limiter = limiter()) {
            daemon.rules = "#".repeat((Transport.MOST_BYTES) + 1);
            assertThat(daemon.rules.getBytes(StandardCharsets.UTF_8)).hasSizeGreaterThan(Transport.MOST_BYTES);
            int asked = daemon.asked("/v1/rules").size();
            await().pollDelay(Duration.ZERO)
                    .until(() -> daemon.asked("/v1/rules").size() > asked + 1);
            daemon.close();

            assertThat(allowed(limiter, by("alice"))).isEqualTo(3);
        }
    }
}
