package io.ratelimit.core.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.Decision;
import io.ratelimit.LimitState;
import io.ratelimit.LimitStatus;
import io.ratelimit.RefusalBody;
import io.ratelimit.RefusalResponder;
import io.ratelimit.RefusedRequest;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.TestRequest;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RulesDocument;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** What refusals say, in which form and language, and what an application may change about it. */
class RefusalAnswersTest {

    private static final HttpSettings ENVELOPE = HttpSettings.parse(Map.of("responder", "envelope"));
    private static final RefusalResponder BROKEN = refused -> {
        throw new IllegalStateException("secret");
    };

    @TempDir
    Path directory;

    private final ManualTimeSource time = new ManualTimeSource();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        logger(Extensions.class).addAppender(log);
        logger(HttpAnswers.class).addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger(Extensions.class).detachAppender(log);
        logger(HttpAnswers.class).detachAppender(log);
    }

    private static Logger logger(Class<?> source) {
        return (Logger) LoggerFactory.getLogger(source);
    }

    private List<String> complaints() {
        return log.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    // Forms

    @Test
    void theEnvelopeTellsTheRenewalInEpochMilliseconds() throws Exception {
        time.stepWallClock(Duration.ofMillis(700));
        Refusal refusal = answers(ENVELOPE).refuse(refused("5 per 15m", 1_500_000_001L), TestRequest.get("/"));
        assertThat(refusal.contentType()).isEqualTo("application/json");
        assertThat(text(refusal))
                .isEqualTo("{\"error\":{\"code\":\"RATE_LIMIT_EXCEEDED\","
                        + "\"message\":\"Limit 'login' (5 per 15m) is exceeded; try again in 2 seconds.\","
                        + "\"context\":{\"renewal\":" + (time.currentTimeMillis() + 1_501) + "}}}");
    }

    @Test
    void anEnvelopeWithoutAPromiseHasAnEmptyContext() throws Exception {
        Refusal refusal = answers(ENVELOPE).refuse(refused("5 per 15m", LimitState.NEVER), TestRequest.get("/"));
        assertThat(text(refusal)).contains("does not admit this request").endsWith("\"context\":{}}}");
    }

    @Test
    void anEnvelopeSaysSoWhereTheLimitsCannotBeAsked() {
        Refusal refusal = answers(ENVELOPE).refuse(mock(Decision.class), TestRequest.get("/"));
        assertThat(refusal.status()).isEqualTo(503);
        assertThat(text(refusal)).contains("\"code\":\"LIMITS_UNAVAILABLE\"").endsWith("\"context\":{}}}");
    }

    @Test
    void aClientThatPrefersTextGetsTheMessageInEitherForm() throws Exception {
        TestRequest request = TestRequest.get("/").header("Accept", "text/plain");
        for (HttpSettings settings : List.of(HttpSettings.DEFAULT, ENVELOPE)) {
            Refusal refusal = answers(settings).refuse(refused("1/s", 1), request);
            assertThat(refusal.contentType()).isEqualTo("text/plain;charset=utf-8");
            assertThat(text(refusal)).isEqualTo("Limit 'login' (1 per 1s) is exceeded; try again in 1 second.\n");
        }
    }

    // Languages

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "de-AT, en;q=0.5 | de | ist überschritten; bitte in 1135 Sekunden erneut versuchen.",
                "fr | fr | est dépassée ; réessayez dans 1135 secondes.",
                "es | es | (5 per 15m); vuelva a intentarlo dentro de 1135 segundos.",
                "it | en | is exceeded; try again in 1135 seconds."
            })
    void theMessageIsInTheLanguageThatTheClientAccepts(String accept, String language, String end) throws Exception {
        Refusal refusal = answers(HttpSettings.DEFAULT)
                .refuse(
                        refused("5 per 15m", 1_135_000_000_000L),
                        TestRequest.get("/").header("Accept-Language", accept));
        assertThat(field(refusal, "Content-Language")).isEqualTo(language);
        assertThat(refusal.vary()).isEqualTo("Accept, Accept-Language");
        assertThat(text(refusal))
                .contains("\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\"")
                .contains("'login'", end);
    }

    @ParameterizedTest
    @ValueSource(strings = {"en", "de", "fr", "es"})
    void everyLanguageSaysWhyThereIsNoPromise(String language) throws Exception {
        HttpAnswers answers = answers(HttpSettings.DEFAULT);
        TestRequest request = TestRequest.get("/").header("Accept-Language", language);
        String never = text(answers.refuse(refused("5 per 15m", LimitState.NEVER), request));
        String busy = text(answers.refuse(refused("{ tokens: 5, algorithm: concurrency }", LimitState.NEVER), request));
        String unavailable = text(answers.refuse(mock(Decision.class), request));
        assertThat(List.of(never, busy, unavailable)).doesNotHaveDuplicates();
        assertThat(never).contains("'login'").doesNotContain("''", "{0}");
        assertThat(busy).contains("'login'").doesNotContain("''", "{0}");
        assertThat(unavailable).doesNotContain("''").hasSizeGreaterThan(80);
    }

    @Test
    void anApplicationAddsLanguagesAndReplacesMessages() throws Exception {
        bundle("", "languages=pt-BR, ru\nexceeded=Calm down, {2} s.");
        bundle("_pt_BR", "exceeded=Limite excedido; tente em {2} s.");
        bundle("_ru", "exceeded=Превышен лимит ''{0}'' 🐢; повторите через {2} с.");
        try (URLClassLoader loader = loader()) {
            HttpAnswers answers = answers(AnswerExtensions.none().withFound(loader));
            assertThat(message(answers, "pt")).isEqualTo("Limite excedido; tente em 2 s.\n");
            assertThat(message(answers, "ru")).isEqualTo("Превышен лимит 'login' 🐢; повторите через 2 с.\n");
            assertThat(message(answers, "it")).isEqualTo("Calm down, 2 s.\n");
            assertThat(message(answers, "de")).startsWith("Das Limit 'login'");
        }
        assertThat(complaints()).isEmpty();
    }

    @Test
    void messagesThatCannotBeUsedAreReportedAndOthersStandIn() throws Exception {
        bundle("", "languages=pt, x_y, cs\nexceeded=Wait {2,number} s\nexceded=typo");
        bundle("_pt", "exceeded={0");
        bundle("_cs", "exceeded=\\uZZZZ");
        try (URLClassLoader loader = loader()) {
            HttpAnswers answers = answers(AnswerExtensions.none().withFound(loader));
            for (String language : List.of("pt", "cs", "en")) {
                assertThat(message(answers, language)).startsWith("Limit 'login' (5 per 15m) is exceeded");
            }
        }
        assertThat(complaints())
                .hasSize(5)
                .anyMatch(line -> line.startsWith("ratelimit-messages.properties: exceeded: this is no message"))
                .anyMatch(line -> line.startsWith("ratelimit-messages.properties: exceded: there is no such message"))
                .anyMatch(line -> line.contains("'x_y' is no language tag"))
                .anyMatch(line -> line.startsWith("ratelimit-messages_pt.properties: exceeded: this is no message"))
                .anyMatch(line -> line.startsWith("ratelimit-messages_cs.properties cannot be read"));
    }

    // Responders

    @Test
    void theFirstResponderThatHasABodyAnswers() throws Exception {
        RefusalResponder html = refused -> refused.chooseType(List.of("application/json", "text/html"))
                .filter("text/html"::equals)
                .map(type -> RefusalBody.of(type, "<p>Слишком много 请求 🐢</p>").in(Locale.forLanguageTag("ru")));
        RefusalResponder json = refused -> Optional.of(RefusalBody.of("application/vnd.acme+json", seen(refused)));
        HttpAnswers answers = answers(AnswerExtensions.none().with(html).with(json));
        Refusal page = answers.refuse(
                refused("5/m", 1_500_000_000L), TestRequest.get("/").header("Accept", "text/html"));
        assertThat(page.contentType()).isEqualTo("text/html;charset=utf-8");
        assertThat(text(page)).isEqualTo("<p>Слишком много 请求 🐢</p>");
        assertThat(page.contentLength()).isEqualTo(page.body().length);
        assertThat(field(page, "Content-Language")).isEqualTo("ru");
        assertThat(field(page, "Retry-After")).isEqualTo("2");
        assertThat(field(page, "Cache-Control")).isEqualTo("no-store");
        Refusal other = answers.refuse(
                refused("5/m", 1_500_000_000L), TestRequest.get("/orders").header("Accept-Language", "fr"));
        assertThat(other.contentType()).isEqualTo("application/vnd.acme+json");
        assertThat(text(other)).isEqualTo("/orders login 429 2 1500 fr fr-CA");
        assertThat(field(other, "Content-Language")).isNull();
    }

    private String seen(RefusedRequest refused) {
        LimitStatus deciding = refused.decision().decidingLimit();
        return String.join(
                " ",
                refused.context().path(),
                deciding == null ? "" : deciding.policy(),
                Integer.toString(refused.status()),
                Long.toString(refused.retryAfterSeconds().orElse(0)),
                Long.toString(refused.renewal().orElseThrow().toEpochMilli() - time.currentTimeMillis()),
                refused.locale().toLanguageTag(),
                refused.chooseLanguage(List.of(Locale.ITALIAN, Locale.CANADA_FRENCH))
                        .map(Locale::toLanguageTag)
                        .orElse("none"));
    }

    @Test
    void aResponderThatFailsIsReportedOnceAndTheLimiterAnswers() throws Exception {
        HttpAnswers answers = answers(AnswerExtensions.none()
                .with(BROKEN)
                .with(new AnswersNull())
                .with(refused -> Optional.of(RefusalBody.of("text/html\r\nX-Evil: 1", ""))));
        for (int i = 0; i < 3; i++) {
            Refusal refusal = answers.refuse(refused("5/m", 1), TestRequest.get("/"));
            assertThat(refusal.contentType()).isEqualTo("application/problem+json");
            assertThat(field(refusal, "Retry-After")).isEqualTo("1");
        }
        assertThat(complaints())
                .hasSize(3)
                .allMatch(line -> line.startsWith("The responder io.ratelimit.core.http.RefusalAnswersTest")
                        && line.endsWith("the next responder or the limiter answers; this is reported once"))
                .noneMatch(line -> line.contains("secret"));
    }

    @Test
    void respondersOnTheClassPathAreAskedAfterThoseHandedIn() throws Exception {
        Path services = Files.createDirectories(directory.resolve("META-INF/services"));
        Files.writeString(services.resolve(RefusalResponder.class.getName()), Teapot.class.getName());
        try (URLClassLoader loader = loader()) {
            RefusalResponder onlyPosts = refused -> refused.context().method().equals("POST")
                    ? Optional.of(RefusalBody.of("text/plain", "posted"))
                    : Optional.empty();
            HttpAnswers answers =
                    answers(AnswerExtensions.none().with(onlyPosts).withFound(loader));
            Decision refused = refused("5/m", 1);
            assertThat(text(answers.refuse(refused, TestRequest.request("POST", "/"))))
                    .isEqualTo("posted");
            assertThat(text(answers.refuse(refused, TestRequest.get("/")))).isEqualTo("short and stout");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "json", "text/html; charset=iso-8859-1", "text/plain;charset=utf-16", "a/b\nc: d", "a/ü"})
    void aBodyHasAMediaTypeInUtf8(String contentType) {
        assertThatThrownBy(() -> RefusalBody.of(contentType, "")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "application/json, application/json",
        "text/html, text/html;charset=utf-8",
        "text/html; charset=UTF-8, text/html; charset=UTF-8",
        "application/problem+json;profile=x, application/problem+json;profile=x"
    })
    void aTextSaysItsCharset(String given, String sent) {
        assertThat(RefusalBody.of(given, "").contentType()).isEqualTo(sent);
    }

    private HttpAnswers answers(HttpSettings settings) {
        return new HttpAnswers(settings, time);
    }

    private HttpAnswers answers(AnswerExtensions extensions) {
        return new HttpAnswers(HttpSettings.DEFAULT, time, extensions);
    }

    private static String message(HttpAnswers answers, String language) throws Exception {
        TestRequest request =
                TestRequest.get("/").header("Accept", "text/plain").header("Accept-Language", language);
        return text(answers.refuse(refused("5 per 15m", 1_500_000_000L), request));
    }

    private static String text(Refusal refusal) {
        return new String(refusal.body(), StandardCharsets.UTF_8);
    }

    private static @Nullable String field(Refusal refusal, String name) {
        return refusal.fields().stream()
                .filter(field -> field.name().equals(name))
                .map(HeaderField::value)
                .findFirst()
                .orElse(null);
    }

    /** A refusal by one limit with a wait in nanoseconds. */
    private static Decision refused(String limit, long waitNanos) throws Exception {
        byte[] content = ("service: test\nrules:\n  - { name: login, sharing: host, limits: [" + limit + "] }")
                .getBytes(StandardCharsets.UTF_8);
        Rule rule = new RulesParser()
                .parse(new RulesDocument("rules.yaml", content, "tag", 1))
                .rules()
                .get(0);
        LimitStatus status =
                new LimitStatus(rule, rule.limits().get(0), "login", new LimitState(0, waitNanos, waitNanos));
        return new Refusing(status);
    }

    private void bundle(String suffix, String content) throws IOException {
        Files.writeString(directory.resolve("ratelimit-messages" + suffix + ".properties"), content);
    }

    private URLClassLoader loader() throws IOException {
        return new URLClassLoader(
                new URL[] {directory.toUri().toURL()}, getClass().getClassLoader());
    }

    /** Found on the class path. */
    public static final class Teapot implements RefusalResponder {
        @Override
        public Optional<RefusalBody> respond(RefusedRequest refused) {
            return Optional.of(RefusalBody.of("text/plain", "short and stout"));
        }
    }

    private static final class AnswersNull implements RefusalResponder {
        @Override
        @SuppressWarnings({"NullAway", "NullOptional"})
        public Optional<RefusalBody> respond(RefusedRequest refused) {
            return null;
        }
    }

    private record Refusing(LimitStatus decidingLimit) implements Decision {
        @Override
        public boolean allowed() {
            return false;
        }

        @Override
        public Reason reason() {
            return Reason.LIMIT_EXCEEDED;
        }

        @Override
        public List<LimitStatus> limits() {
            return List.of(decidingLimit);
        }
    }
}
