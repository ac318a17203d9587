package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.client.http.Stub.Answer;
import io.ratelimit.client.http.Stub.Attempt;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.ServiceUnavailableException;
import jakarta.ws.rs.client.Client;
import jakarta.ws.rs.client.ClientBuilder;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.Entity;
import jakarta.ws.rs.core.GenericType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import jakarta.ws.rs.ext.ReaderInterceptor;
import jakarta.ws.rs.ext.WriterInterceptor;
import java.io.ByteArrayInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("jaxrs")
class RetryingFeatureTest {

    private static final byte[] KILOBYTE = new byte[1_000];

    static {
        new Random(1).nextBytes(KILOBYTE);
    }

    private final List<Duration> waits = new CopyOnWriteArrayList<>();
    private Client client;

    /** Waits no time at all, and remembers how long it should have. */
    private final class Recorded implements Pause {

        @Override
        public void sleep(Duration time) {
            waits.add(time);
        }

        @Override
        public CompletableFuture<Void> later(Duration time) {
            throw new UnsupportedOperationException();
        }
    }

    @AfterEach
    void closeClient() {
        if (client != null) {
            client.close();
        }
    }

    private Client client(UnaryOperator<RetryingFeatureBuilder> settings) {
        client = ClientBuilder.newClient();
        client.register(
                settings.apply(RetryingFeature.builder().pause(new Recorded())).build());
        return client;
    }

    private Client client() {
        return client(settings -> settings);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 429, 2",
        "GET, 502, 2",
        "GET, 503, 2",
        "GET, 504, 2",
        "DELETE, 503, 2",
        "GET, 404, 1",
        "GET, 500, 1",
        "GET, 401, 1",
    })
    void repeatsWhatWasRefused(String method, int status, int attempts) throws Exception {
        try (Stub stub = Stub.of(status, 200)) {
            Response response = client().target(stub.uri()).request().method(method);

            assertThat(stub.attempts()).hasSize(attempts);
            assertThat(response.getStatus()).isEqualTo(attempts == 1 ? status : 200);
            assertThat(response.readEntity(String.class)).isEqualTo("status " + response.getStatus());
        }
    }

    @ParameterizedTest
    @CsvSource({"PUT, 502, 2", "POST, 429, 2", "POST, 502, 1", "POST, 503, 1", "POST, 504, 1"})
    void repeatsBodiesWhole(String method, int status, int attempts) throws Exception {
        try (Stub stub = Stub.of(status, 200)) {
            client().target(stub.uri()).request().method(method, Entity.entity(KILOBYTE, "application/x-thing;v=1"));

            assertThat(stub.attempts()).hasSize(attempts).allSatisfy(attempt -> {
                assertThat(attempt.method()).isEqualTo(method);
                assertThat(attempt.body()).isEqualTo(KILOBYTE);
                assertThat(attempt.headers().get("Content-Type")).containsExactly("application/x-thing;v=1");
            });
        }
    }

    @Test
    void repeatsAPostThatMayBeDoneTwice() throws Exception {
        try (Stub stub = Stub.of(504, 200)) {
            client().target(stub.uri())
                    .request()
                    .header("Idempotency-Key", "order-17")
                    .post(Entity.text("a"));

            assertThat(stub.attempts()).hasSize(2).extracting(Attempt::key).containsOnly("order-17");
        }
        try (Stub stub = Stub.of(504, 200)) {
            client(RetryBuilder::repeatAll).target(stub.uri()).request().post(Entity.text("a"));

            assertThat(stub.attempts()).hasSize(2);
        }
        try (Stub stub = new Stub(new Answer(503, "1"), new Answer(200, null))) {
            client().target(stub.uri()).request().post(Entity.text("a"));

            assertThat(stub.attempts()).hasSize(2);
        }
    }

    @Test
    void repeatsABodyThatCanBeReadOnce() throws Exception {
        try (Stub stub = Stub.of(429, 429, 200)) {
            InputStream once = new ByteArrayInputStream(KILOBYTE);
            client().target(stub.uri()).request().put(Entity.entity(once, "application/octet-stream"));
            assertThat(stub.attempts())
                    .hasSize(3)
                    .allSatisfy(attempt -> assertThat(attempt.body()).isEqualTo(KILOBYTE));
        }
        try (Stub stub = Stub.of(429, 200)) {
            StreamingOutput written = out -> out.write(KILOBYTE);
            client().target(stub.uri()).request().post(Entity.entity(written, "application/octet-stream"));
            assertThat(stub.attempts())
                    .hasSize(2)
                    .allSatisfy(attempt -> assertThat(attempt.body()).isEqualTo(KILOBYTE));
        }
    }

    @Test
    void aBodyThatIsTooLargeToBeKeptIsNotRepeated() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            Response response = client(settings -> settings.mostKeptBytes(999))
                    .target(stub.uri())
                    .request()
                    .put(Entity.entity(KILOBYTE, "application/octet-stream"));

            assertThat(stub.attempts()).hasSize(1);
            assertThat(response.getStatus()).isEqualTo(429);
            assertThat(response.readEntity(String.class)).isEqualTo("status 429");
        }
    }

    @Test
    void waitsAtLeastAsLongAsTheServerSays() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "7"), new Answer(503, "3"), new Answer(200, null))) {
            client().target(stub.uri()).request().get();

            assertThat(waits).hasSize(2);
            assertThat(waits.get(0)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(8_750));
            assertThat(waits.get(1)).isBetween(Duration.ofSeconds(3), Duration.ofMillis(3_750));
        }
    }

    @Test
    void waitsByTheServersClockWhereItNamesADate() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "Fri, 31 Dec 2100 23:59:59 GMT"), new Answer(200, null))) {
            Response response = client().target(stub.uri()).request().get();

            assertThat(response.getStatus()).isEqualTo(429);
            assertThat(waits).isEmpty();
        }
    }

    @Test
    void waitsARandomTimeThatGrowsWhereTheServerSaysNothing() throws Exception {
        try (Stub stub = Stub.of(503)) {
            client(settings -> settings.attempts(5)
                            .random(new Random(1))
                            .waits(Duration.ofMillis(100), Duration.ofMillis(400)))
                    .target(stub.uri())
                    .request()
                    .get();

            assertThat(stub.attempts()).hasSize(5);
            assertThat(waits).hasSize(4);
            assertThat(waits.get(0)).isLessThanOrEqualTo(Duration.ofMillis(100));
            assertThat(waits.get(1)).isLessThanOrEqualTo(Duration.ofMillis(200));
            assertThat(waits.get(3)).isLessThanOrEqualTo(Duration.ofMillis(400));
            assertThat(waits).doesNotHaveDuplicates();
        }
    }

    @Test
    void theCallerGetsTheLastAnswerWithItsBody() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "1"), new Answer(503, "2"))) {
            Response response = client(settings -> settings.attempts(2))
                    .target(stub.uri())
                    .request()
                    .get();

            assertThat(response.getStatus()).isEqualTo(503);
            assertThat(response.getHeaderString("Retry-After")).isEqualTo("2");
            assertThat(response.readEntity(String.class)).isEqualTo("status 503");
            assertThatThrownBy(() -> client.target(stub.uri()).request().get(String.class))
                    .isInstanceOf(ServiceUnavailableException.class);
        }
    }

    @Test
    void anAnswerThatIsLongerThanThatToARefusedRequestIsLeftToTheCallerWhole() throws Exception {
        String page = "x".repeat(1 << 20);
        try (Stub stub = new Stub(new Answer(503, null, page), new Answer(200, null))) {
            Response response = client().target(stub.uri()).request().get();

            assertThat(stub.attempts()).hasSize(1);
            assertThat(response.readEntity(String.class)).isEqualTo(page);
        }
    }

    @Test
    void theBudgetBoundsRepetitions() throws Exception {
        try (Stub stub = Stub.of(503)) {
            Client some = client(settings -> settings.retryBudget(3));
            for (int i = 0; i < 10; i++) {
                some.target(stub.uri()).request().get().close();
            }

            assertThat(stub.attempts()).hasSizeBetween(13, 14);
        }
    }

    @Test
    void whoeverFindsNoPlaceToWaitAtGetsTheAnswer() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            Response response = client(settings -> settings.mostWaiting(0))
                    .target(stub.uri())
                    .request()
                    .get();

            assertThat(response.getStatus()).isEqualTo(429);
        }
    }

    @Test
    void filtersOfTheClientTakePartInEachAttemptOnce() throws Exception {
        try (Stub stub = Stub.of(429, 429, 200)) {
            client().register((ClientRequestFilter)
                    request -> request.getHeaders().add("X-Signed", "yes"));
            client.target(stub.uri().resolve("/orders?a=b%20c"))
                    .request("text/plain")
                    .header("X-Mine", "1")
                    .cookie("sid", "7")
                    .get();

            assertThat(stub.attempts()).hasSize(3).allSatisfy(attempt -> {
                assertThat(attempt.path()).isEqualTo("/orders");
                assertThat(attempt.headers().get("X-Signed")).containsExactly("yes");
                assertThat(attempt.headers().get("X-Mine")).containsExactly("1");
                assertThat(attempt.headers().get("Accept")).containsExactly("text/plain");
                assertThat(attempt.headers().getFirst("Cookie")).contains("sid=7");
            });
        }
    }

    @Test
    void bodiesAreEncodedOnceInEachAttemptAndAnswersDecodedOnce() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            WriterInterceptor flipping = context -> {
                context.setOutputStream(flipped(context.getOutputStream()));
                context.proceed();
            };
            ReaderInterceptor shortening = context -> {
                context.getInputStream().skipNBytes(1);
                return context.proceed();
            };
            client().register(flipping, 100).register(shortening);
            String answer = client.target(stub.uri())
                    .request()
                    .put(Entity.entity(new byte[] {1, 2, 3}, "application/octet-stream"), String.class);

            assertThat(stub.attempts())
                    .hasSize(2)
                    .allSatisfy(attempt -> assertThat(attempt.body()).containsExactly(~1, ~2, ~3));
            assertThat(answer).isEqualTo("tatus 200");
        }
    }

    private static OutputStream flipped(OutputStream out) {
        return new FilterOutputStream(out) {
            @Override
            public void write(int value) throws IOException {
                super.write(~value);
            }
        };
    }

    @Test
    void aCallWhoseTargetHasFiltersOfItsOwnIsNotRepeatedWithoutThem() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            Response response = client().target(stub.uri())
                    .register((ClientRequestFilter)
                            request -> request.getHeaders().add("X-Signed", "yes"))
                    .request()
                    .get();

            assertThat(stub.attempts()).hasSize(1);
            assertThat(response.getStatus()).isEqualTo(429);
            assertThat(response.readEntity(String.class)).isEqualTo("status 429");
        }
    }

    @Test
    void aFeatureOfATargetAloneRepeatsNothing() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            client = ClientBuilder.newClient();
            Response response = client.target(stub.uri())
                    .register(RetryingFeature.builder().pause(new Recorded()).build())
                    .request()
                    .get();

            assertThat(stub.attempts()).hasSize(1);
            assertThat(response.getStatus()).isEqualTo(429);
        }
    }

    @Test
    void propertiesOfATargetCountForEachAttempt() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            List<Object> seen = new CopyOnWriteArrayList<>();
            client().register((ClientRequestFilter) request -> {
                Object ofTarget = request.getConfiguration().getProperty("x.target");
                seen.add(ofTarget == null ? request.getProperty("x.target") : ofTarget);
                seen.add(request.getProperty("x.request"));
            });
            client.target(stub.uri())
                    .property("x.target", 1)
                    .request()
                    .property("x.request", 2)
                    .get();

            assertThat(seen).containsExactly(1, 2, 1, 2);
        }
    }

    @Test
    void anAttemptThatFailsIsRepeatedLikeOneThatIsRefused() throws Exception {
        try (Stub stub = new Stub(new Answer(429, null), new Answer(0, null), new Answer(200, null))) {
            client = ClientBuilder.newBuilder()
                    .readTimeout(300, TimeUnit.MILLISECONDS)
                    .build()
                    .register(RetryingFeature.builder().pause(new Recorded()).build());
            assertThat(client.target(stub.uri()).request().get(String.class)).isEqualTo("status 200");
        }
        try (Stub stub = new Stub(new Answer(429, null), new Answer(0, null), new Answer(200, null))) {
            assertThatThrownBy(() -> client.target(stub.uri()).request().post(Entity.text("a")))
                    .isInstanceOf(ProcessingException.class)
                    .hasMessageContaining("another attempt has failed");
        }
    }

    @Test
    void worksForAsynchronousCallsAndGenericTypes() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            Future<String> answer =
                    client().target(stub.uri()).request().async().get(new GenericType<String>() {});

            assertThat(answer.get(10, TimeUnit.SECONDS)).isEqualTo("status 200");
        }
    }

    @Test
    void manyCallsInARowLeaveNoConnectionBehind() throws Exception {
        Answer[] answers = new Answer[200];
        for (int i = 0; i < answers.length; i++) {
            answers[i] = new Answer(i % 2 == 0 ? 429 : 200, null);
        }
        try (Stub stub = new Stub(answers)) {
            Client one = client(settings -> settings.retryBudget(1_000));
            for (int i = 0; i < 100; i++) {
                assertThat(one.target(stub.uri()).request().get(String.class)).isEqualTo("status 200");
            }

            assertThat(stub.peers()).hasSizeLessThanOrEqualTo(3);
        }
    }

    @Test
    void anInterruptEndsTheWaitAtOnce() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "20"))) {
            client =
                    ClientBuilder.newClient().register(RetryingFeature.builder().build());
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            AtomicReference<Boolean> stays = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                try {
                    client.target(stub.uri()).request().get();
                } catch (ProcessingException e) {
                    thrown.set(e);
                    stays.set(Thread.currentThread().isInterrupted());
                }
            });
            caller.start();
            while (stub.attempts().isEmpty() || caller.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            caller.interrupt();
            caller.join(5_000);

            assertThat(thrown.get()).hasRootCauseInstanceOf(InterruptedIOException.class);
            assertThat(stays.get()).isTrue();
        }
    }

    @Test
    void callsToAServerThatWantsToBeLeftAloneAreHeldBack() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "5"), new Answer(200, null))) {
            Client holding = client(settings -> settings.holdBack().attempts(1));
            assertThat(holding.target(stub.uri()).request().get().getStatus()).isEqualTo(429);
            assertThat(waits).isEmpty();

            Response second =
                    holding.target(stub.uri().resolve("/other")).request().get();

            assertThat(second.getStatus()).isEqualTo(200);
            assertThat(waits)
                    .singleElement()
                    .satisfies(wait -> assertThat(wait).isBetween(Duration.ofSeconds(4), Duration.ofMillis(6_250)));
        }
    }

    @Test
    void aCallThatWouldBeHeldBackTooLongIsAnsweredInTheServersStead() throws Exception {
        try (Stub stub = new Stub(new Answer(503, "50"), new Answer(200, null))) {
            Client holding = client(RetryingFeatureBuilder::holdBack);
            holding.target(stub.uri()).request().get();

            Response second = holding.target(stub.uri()).request().get();

            assertThat(stub.attempts()).hasSize(1);
            assertThat(second.getStatus()).isEqualTo(503);
            assertThat(Long.parseLong(second.getHeaderString("Retry-After"))).isBetween(45L, 50L);
            assertThat(waits).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void callsAreHeldBackOnlyFromServersThatAskForIt(boolean holds) throws Exception {
        try (Stub refusing = new Stub(new Answer(429, "50"));
                Stub other = Stub.of(200)) {
            Client some = client(settings -> holds ? settings.holdBack() : settings);
            some.target(refusing.uri()).request().get();
            some.target(refusing.uri()).request().get();

            assertThat(refusing.attempts()).hasSize(holds ? 1 : 2);
            assertThat(some.target(other.uri()).request().get().getStatus()).isEqualTo(200);
        }
    }

    @Test
    void takesATokenForEachAttempt() throws Exception {
        try (Stub stub = Stub.of(429, 200);
                RateLimitEngine engine = RateLimitEngine.builder()
                        .rules(new RulesText("service: callers\nrules: [{ name: calls, key: service, limits: 10/h }]"))
                        .build()) {
            engine.start();
            client(settings -> settings.pace(engine.permits("calls", ClientIdentifier.SERVICE)))
                    .target(stub.uri())
                    .request()
                    .get();

            assertThat(engine.permits("calls", ClientIdentifier.SERVICE).tryAcquire(9))
                    .isFalse();
            assertThat(engine.permits("calls", ClientIdentifier.SERVICE).tryAcquire(8))
                    .isTrue();
        }
    }

    @Test
    void aBodyInAnyLanguageArrives() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            client().target(stub.uri()).request().put(Entity.entity("Grüße", "text/plain;charset=UTF-8"));

            assertThat(stub.attempts())
                    .hasSize(2)
                    .allSatisfy(attempt -> assertThat(new String(attempt.body(), StandardCharsets.UTF_8))
                            .isEqualTo("Grüße"));
        }
    }
}
