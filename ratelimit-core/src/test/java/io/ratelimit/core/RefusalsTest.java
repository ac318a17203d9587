package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.CALLS_REAL_METHODS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.RequestContext;
import io.ratelimit.core.watch.WordedRequest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What operators see of refusals one by one. */
class RefusalsTest {

    private static final String SECRET = "s3cr3t-k3y";

    private final Logger logger = (Logger) LoggerFactory.getLogger("io.ratelimit.refusals");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();

    @TempDir
    private Path directory;

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
    }

    private List<String> log() {
        return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    private static RateLimitEngine engine(String rules, String... settings) {
        RateLimitEngineBuilder builder = RateLimitEngine.builder()
                .timeSource(new ManualTimeSource())
                .rules(new RulesText("service: test\nclients: [\"header:X-Key\", user, ip]\nrules:\n  - " + rules));
        for (int i = 0; i < settings.length; i += 2) {
            builder.setting(settings[i], settings[i + 1]);
        }
        RateLimitEngine engine = builder.build();
        engine.start();
        return engine;
    }

    private static void decide(RateLimitEngine engine, int times, RequestContext request) {
        for (int i = 0; i < times; i++) {
            engine.limiter().decide(request);
        }
    }

    @Test
    void aRefusalIsLoggedWithRuleAndWaitAndWithoutTheClientsSecret() {
        try (RateLimitEngine engine = engine("{ name: all, limits: [2/s, 2 per 10m] }")) {
            decide(engine, 3, get("/orders").header("X-Key", SECRET));
        }
        assertThat(log())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .matches("Refused GET /orders by all:10m, client header:x-key=#[0-9a-f]{8}, retry in 5m")
                        .doesNotContain(SECRET));
    }

    @Test
    void aRefusalByTheShortestFormIsLoggedToo() {
        try (RateLimitEngine engine = engine("{ name: all, limits: [1/h] }")) {
            engine.limiter().allowRequest(get("/orders"));
            engine.limiter().allowRequest(get("/orders"));
        }
        assertThat(log()).containsExactly("Refused GET /orders by all, client not looked at, retry is of no known use");
    }

    @Test
    void severalRulesAreToldApart() {
        try (RateLimitEngine engine =
                engine("{ name: wide, limits: [9/h] }\n  - { name: narrow, key: ip, limits: [1/h] }")) {
            decide(engine, 2, get("/").user("alice"));
        }
        assertThat(log())
                .singleElement()
                .satisfies(line ->
                        assertThat(line).matches("Refused GET / by narrow, client ip=#[0-9a-f]{8}, retry in 1h"));
    }

    @Test
    void whatARequestHoldsCannotForgeALine() {
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }")) {
            decide(engine, 1, get("/a\nINFO Refused nobody\u202e\u001b[2J" + "x".repeat(1_000)));
        }
        assertThat(log())
                .singleElement()
                .satisfies(line -> assertThat(line)
                        .startsWith("Refused GET /a\\u000aINFO Refused nobody\\u202e\\u001b[2J")
                        .doesNotContain("\n")
                        .hasSizeLessThan(400));
    }

    @Test
    void aRequestThatHasWordsOfItsOwnIsLoggedByThem() {
        WordedRequest question = mock(WordedRequest.class, CALLS_REAL_METHODS);
        when(question.method()).thenReturn("GET");
        when(question.path()).thenReturn("/");
        when(question.user()).thenReturn("alice");
        when(question.inWords()).thenReturn("domain shop: us\ner");
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }")) {
            decide(engine, 1, question);
        }
        assertThat(log()).singleElement().asString().startsWith("Refused domain shop: us\\u000aer by all");
    }

    @Test
    void thereIsOneLineInASecondUnlessTheSettingAsksForMore() {
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }")) {
            decide(engine, 100, get("/"));
        }
        assertThat(log()).hasSize(1);
        lines.list.clear();
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }", "logRefusals", "3")) {
            decide(engine, 100, get("/"));
        }
        assertThat(log()).hasSize(3);
    }

    @Test
    void nothingIsLoggedWhereTheSettingSaysSo() {
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }", "logRefusals", "0")) {
            decide(engine, 10, get("/"));
        }
        assertThat(log()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "10001"})
    void aNumberOfLinesThatIsOutOfRangeIsRefused(String value) {
        assertThatThrownBy(() -> engine("{ name: all, limits: \"0\" }", "logRefusals", value))
                .hasMessage(
                        "setting logRefusals is '" + value + "': it must be the most lines in a second, 0 to 10000");
    }

    @Test
    void aRequestThatCannotBeReadIsRefusedAllTheSame() {
        RequestContext unreadable = mock(RequestContext.class, CALLS_REAL_METHODS);
        when(unreadable.method()).thenReturn("GET");
        when(unreadable.path()).thenReturn("/").thenThrow(new IllegalStateException("recycled"));
        when(unreadable.user()).thenReturn("alice");
        try (RateLimitEngine engine = engine("{ name: all, limits: \"0\" }")) {
            assertThat(engine.limiter().decide(unreadable).allowed()).isFalse();
        }
    }

    @Test
    void aFlightRecordingHasRefusalsAndFailures() throws IOException {
        Path file = directory.resolve("recording.jfr");
        try (Recording recording = new Recording();
                RateLimitEngine engine = engine("{ name: all, limits: [2 per 10m] }\n"
                        + "  - { name: keyed, key: \"header:X-Other\", limits: [2/h] }")) {
            recording.enable("io.ratelimit.Refusal");
            recording.enable("io.ratelimit.Failure");
            decide(engine, 1, get("/before"));
            recording.start();
            decide(engine, 4, get("/orders").header("X-Key", SECRET));
            recording.stop();
            recording.dump(file);
            decide(engine, 4, get("/after").header("X-Key", SECRET));
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        List<RecordedEvent> refusals = named(events, "io.ratelimit.Refusal");
        assertThat(refusals).hasSize(2).allSatisfy(event -> {
            assertThat(event.getString("method")).isEqualTo("GET");
            assertThat(event.getString("path")).isEqualTo("/orders");
            assertThat(event.getString("policy")).isEqualTo("all");
            assertThat(event.getString("client")).matches("header:x-key=#[0-9a-f]{8}");
            assertThat(event.getDuration("retryAfter")).isEqualTo(Duration.ofMinutes(5));
        });
        assertThat(named(events, "io.ratelimit.Failure"))
                .hasSize(4)
                .allSatisfy(event -> assertThat(event.getString("kind")).isEqualTo("identity-missing"));
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(event -> event.getEventType().getName().equals(name))
                .toList();
    }
}
