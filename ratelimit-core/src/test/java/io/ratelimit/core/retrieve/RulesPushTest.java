package io.ratelimit.core.retrieve;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.retrieve.RulesStatus.Push;
import io.ratelimit.core.rules.RulesParser;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A host that asks once an hour hears of changes at once, whatever the service does at its events. */
@Timeout(30)
@Tag("cluster")
class RulesPushTest {

    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration SOON = Duration.ofMillis(50);

    @TempDir
    private Path directory;

    private final CapturedLog log = new CapturedLog(PushLoop.class);
    private PushingService service;
    private RetrieveRulesTask task;
    private RetrieveJobScheduler scheduler;

    @BeforeEach
    void begin() throws IOException {
        service = new PushingService();
    }

    @AfterEach
    void end() {
        if (scheduler != null) {
            scheduler.stop();
        }
        service.close();
        log.close();
    }

    @Test
    void aChangeIsInForceWithinASecond() {
        start();
        await().until(() -> service.listeners() == 1);
        for (int version = 18; version < 22; version++) {
            String name = Integer.toString(version);
            service.publish();
            await().atMost(1, TimeUnit.SECONDS)
                    .until(() -> name.equals(task.status().versionName()));
        }

        assertThat(service.polls).hasSize(5);
        assertThat(service.listened).singleElement().satisfies(headers -> {
            assertThat(headers.getFirst("Authorization")).isEqualTo("Bearer t0ken");
            assertThat(headers.getFirst("RateLimit-Host")).startsWith("app-3/");
        });
        assertThat(task.status().push()).isEqualTo(Push.CONNECTED);
    }

    @Test
    void whatIsKnownIsNotAskedForAgain() {
        start();
        await().until(() -> service.listeners() == 1);
        for (int i = 0; i < 100; i++) {
            service.tell(PushingService.event(service.tag()));
            service.tell("event: other\ndata: {\"tag\":\"x\"}\n\nevent: published\ndata: nonsense\n\n");
        }

        holds(() -> service.polls.size() == 1);
    }

    @Test
    void aStreamThatEndsIsOpenedAnewWithoutAWordAndWhatWasMissedIsMadeUpFor() {
        start();
        await().until(() -> service.listeners() == 1);
        service.publishSilently();
        service.hangUp();

        await().until(() -> "18".equals(task.status().versionName()));
        assertThat(service.listened).hasSize(2);
        assertThat(log.warnings()).isEmpty();
        assertThat(log.infos())
                .containsExactly("Changes of the rules are pushed from http://127.0.0.1:" + service.port() + "/events");
    }

    @Test
    void aServiceThatIsGoneIsReportedOnceAndSoIsItsReturn() throws Exception {
        start();
        await().until(() -> service.listeners() == 1);
        int port = service.port();
        service.close();
        await().until(() -> !log.warnings().isEmpty());
        assertThat(task.status().push()).isEqualTo(Push.LOST);
        holds(() -> log.warnings().size() == 1);
        assertThat(log.warnings().get(0))
                .startsWith("Changes of the rules are not pushed, polling goes on: http://127.0.0.1:");

        service = new PushingService(port);
        service.publish();
        await().until(() -> "18".equals(task.status().versionName()));
        await().until(() -> log.infos().size() == 2);
        assertThat(task.status().push()).isEqualTo(Push.CONNECTED);
        assertThat(log.warnings()).hasSize(1);
    }

    @Test
    void aServiceThatLetsGoOfEachStreamIsReportedOnceAndAskedLessAndLessOften() {
        service.events = exchange -> PushingService.open(exchange).write("\n".getBytes(UTF_8));
        start(new PushSchedule(HOUR, HOUR, Duration.ofMillis(1), HOUR, HOUR));

        await().until(() -> service.listened.size() > 8);
        holds(() -> service.listened.size() < 30);
        assertThat(log.warnings()).singleElement().asString().endsWith("the stream has ended");
        assertThat(log.infos()).hasSize(1);
    }

    @Test
    void aSilentStreamIsCutAndOpenedAnew() {
        service.events = exchange -> {
            // Bytes without the end of a line are no sign of life.
            OutputStream out = PushingService.open(exchange);
            for (int i = 0; i < 400; i++) {
                out.write(':');
                out.flush();
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        };
        start(new PushSchedule(Duration.ofMillis(300), HOUR, SOON, SOON, HOUR));

        await().until(() -> service.listened.size() > 2);
        assertThat(log.warnings()).singleElement().asString().endsWith("it was silent for 300 ms");
    }

    @Test
    void aStreamWithCommentsIsNotSilent() {
        start(schedule(Duration.ofMillis(500)));
        await().until(() -> service.listeners() == 1);
        for (int i = 0; i < 15; i++) {
            service.tell(": alive\n\n");
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }

        assertThat(service.listened).hasSize(1);
        assertThat(task.status().push()).isEqualTo(Push.CONNECTED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "data: x\n"})
    void anEndlessLineOrEventIsCut(String piece) {
        AtomicLong sent = new AtomicLong();
        service.events = exchange -> {
            OutputStream out = PushingService.open(exchange);
            byte[] block = piece.repeat(8 << 10).getBytes(UTF_8);
            while (sent.addAndGet(block.length) < 1L << 30) {
                out.write(block);
                out.flush();
            }
        };
        start(new PushSchedule(HOUR, HOUR, SOON, HOUR, HOUR));

        await().until(() -> !log.warnings().isEmpty());
        assertThat(log.warnings()).singleElement().asString().endsWith("larger than 8 KiB");
        assertThat(sent.get() / service.listened.size()).isLessThan(64 << 20);
    }

    @Test
    void aStormOfEventsAsksTenTimesASecondAtMost() {
        start();
        await().until(() -> service.listeners() == 1);
        long before = System.nanoTime();
        for (int i = 0; i < 2000; i++) {
            service.tell(PushingService.event("\"storm-" + i + "\""));
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(500));
        }
        long tenths = (System.nanoTime() - before) / TimeUnit.MILLISECONDS.toNanos(100);

        assertThat(service.polls.size() - 1L).isBetween(2L, tenths + 1);
        service.publish();
        await().atMost(1, TimeUnit.SECONDS)
                .until(() -> "18".equals(task.status().versionName()));
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:OTHER/events",
        "//127.0.0.1:OTHER/events",
        "http://localhost:PORT/events",
        "https://127.0.0.1:PORT/events",
        "http://127.0.0.1:PORT@127.0.0.1:OTHER/events",
        "mailto:somebody",
        "http://[/events"
    })
    void aLinkToAnotherOriginIsNotFollowedAndTheTokenNotSentThere(String link) throws Exception {
        try (PushingService other = new PushingService()) {
            service.link = "<" + link.replace("OTHER", "" + other.port()).replace("PORT", "" + service.port())
                    + ">; rel=\"events\"";
            start();
            assertThat(task.status().versionName()).isEqualTo("17");

            holds(() -> other.listened.isEmpty() && service.listened.isEmpty());
            assertThat(task.status().push()).isEqualTo(Push.NONE);
        }
    }

    @Test
    void aRedirectOfTheEventsIsNotFollowed() throws Exception {
        try (PushingService other = new PushingService()) {
            service.events = exchange -> {
                exchange.getResponseHeaders().set("Location", "http://127.0.0.1:" + other.port() + "/events");
                exchange.sendResponseHeaders(307, -1);
            };
            start();

            await().until(() -> service.listened.size() > 2);
            assertThat(other.listened).isEmpty();
            assertThat(log.warnings()).singleElement().asString().endsWith("answers status 307");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 401, 403, 404})
    void aServiceThatRefusesIsAskedAgainSlowly(int status) {
        service.events = exchange -> exchange.sendResponseHeaders(status, -1);
        start();

        await().until(() -> task.status().push() == Push.LOST);
        holds(() -> service.listened.size() == 1);
        assertThat(log.warnings()).singleElement().asString().endsWith("answers status " + status);
    }

    @Test
    void aPageInPlaceOfAStreamIsNotReadAndAskedForAgain() {
        service.events = exchange -> {
            byte[] page = PushingService.event("\"portal\"").getBytes(UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
        };
        start();

        await().until(() -> service.listened.size() > 2);
        assertThat(service.polls).hasSize(1);
        assertThat(log.warnings()).singleElement().asString().endsWith("answers with no event stream");
    }

    @Test
    void aServiceThatHangsIsTriedAgain() {
        service.events = exchange -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
        start(schedule(HOUR), Duration.ofSeconds(1));

        await().until(() -> service.listened.size() > 1);
        assertThat(log.warnings()).singleElement().asString().endsWith("no whole answer within 1000 ms");
    }

    @Test
    void aServiceThatNamesNoLinkAnyMoreIsListenedToNoMore() {
        start();
        await().until(() -> service.listeners() == 1);
        service.link = null;
        service.publish();

        await().until(() -> task.status().push() == Push.NONE);
        assertThat(task.status().versionName()).isEqualTo("18");
        assertThat(pushThreads()).isZero();
    }

    @Test
    void aServiceThatConfirmsTheKeptRulesIsListenedTo() {
        try (RateLimitEngine engine = engine("true")) {
            engine.start();
        }
        try (RateLimitEngine engine = engine("true")) {
            engine.start();
            await().until(() -> engine.rulesStatus().push() == Push.CONNECTED);
            service.publish();
            await().atMost(1, TimeUnit.SECONDS)
                    .until(() -> "18".equals(engine.rulesStatus().versionName()));
        }
        assertThat(service.polls.get(1).getFirst("If-None-Match")).isEqualTo("\"17-3fb2c1d0\"");
    }

    @Test
    void withoutPushNobodyListens() {
        try (RateLimitEngine engine = engine("false")) {
            engine.start();
            assertThat(engine.isReady()).isTrue();
            holds(() -> service.listened.isEmpty());
            assertThat(engine.rulesStatus().push()).isEqualTo(Push.NONE);
        }
    }

    @Test
    void closingTheEngineEndsTheStreamWithinASecondAndLeavesNoThread() {
        RateLimitEngine engine = engine("true");
        engine.start();
        await().until(() -> engine.rulesStatus().push() == Push.CONNECTED);
        assertThat(pushThreads()).isOne();

        long before = System.nanoTime();
        engine.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("ratelimit-"));
        assertThat(engine.rulesStatus().push()).isEqualTo(Push.NONE);
        await().until(() -> {
            service.tell(": alive\n");
            return service.listeners() == 0;
        });
    }

    @Test
    void closingWhileTheServiceHangsTakesLessThanASecondToo() {
        service.events = exchange -> LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(5));
        RateLimitEngine engine = engine("true");
        engine.start();
        await().until(() -> service.listened.size() == 1);

        long before = System.nanoTime();
        engine.close();
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(1));
        assertThat(pushThreads()).isZero();
    }

    private static void holds(Callable<Boolean> condition) {
        await().during(400, TimeUnit.MILLISECONDS).atMost(2, TimeUnit.SECONDS).until(condition);
    }

    private static long pushThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("ratelimit-rules-push"))
                .count();
    }

    private RateLimitEngine engine(String push) {
        return RateLimitEngine.builder()
                .rules(service.url())
                .setting("pollInterval", "1h")
                .setting("push", push)
                .setting("lastGoodFile", directory.resolve("rules.lastgood").toString())
                .build();
    }

    private void start() {
        start(schedule(HOUR));
    }

    private void start(PushSchedule push) {
        start(push, Duration.ofSeconds(10));
    }

    private void start(PushSchedule push, Duration requestTimeout) {
        RulesSourceSettings settings = new RulesSourceSettings(
                null, "t0ken", requestTimeout, requestTimeout, true, HostName.of("app-3"), TimeSource.system());
        task = new RetrieveRulesTask(
                new HttpRulesSource(HttpLocation.parse(service.url(), "t0ken"), settings, push),
                new RulesParser()::parse,
                rules -> {},
                null,
                new RateLimitListener() {},
                TimeSource.system());
        scheduler = new RetrieveJobScheduler(task, new PollSchedule(HOUR, HOUR), new Random(1));
        scheduler.start();
    }

    private static PushSchedule schedule(Duration silence) {
        return new PushSchedule(silence, SOON.multipliedBy(4), SOON, SOON, Duration.ofSeconds(10));
    }
}
