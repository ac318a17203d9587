package io.ratelimit.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Permits;
import io.ratelimit.client.http.Stub.Answer;
import io.ratelimit.client.http.Stub.Attempt;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryingHttpClientTest {

    private static final byte[] KILOBYTE = bytes(1_000);

    private final Recorded waits = new Recorded();

    /** Waits no time at all, and remembers how long it should have. */
    private static final class Recorded implements Pause {

        private final List<Duration> times = new CopyOnWriteArrayList<>();

        @Override
        public void sleep(Duration time) {
            times.add(time);
        }

        @Override
        public CompletableFuture<Void> later(Duration time) {
            times.add(time);
            return CompletableFuture.completedFuture(null);
        }
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }

    private RetryingHttpClientBuilder client() {
        return RetryingHttpClient.around(HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .build())
                .pause(waits);
    }

    private static HttpRequest.Builder request(Stub stub, String method, BodyPublisher body) {
        return HttpRequest.newBuilder(stub.uri()).method(method, body);
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client().build().send(request.build(), BodyHandlers.ofString());
    }

    @ParameterizedTest
    @CsvSource({
        "GET, 429, 2",
        "GET, 502, 2",
        "GET, 503, 2",
        "GET, 504, 2",
        "PUT, 502, 2",
        "DELETE, 504, 2",
        "POST, 429, 2",
        "POST, 502, 1",
        "POST, 503, 1",
        "POST, 504, 1",
        "PATCH, 504, 1",
        "GET, 401, 1",
        "GET, 403, 1",
        "GET, 404, 1",
        "GET, 422, 1",
        "GET, 500, 1",
        "POST, 401, 1",
    })
    void repeatsWhatMayBeDoneTwiceOrWasNotDone(String method, int status, int attempts) throws Exception {
        try (Stub stub = Stub.of(status, 200)) {
            HttpResponse<String> response = send(request(stub, method, BodyPublishers.ofByteArray(KILOBYTE)));

            assertThat(stub.attempts()).hasSize(attempts).allSatisfy(attempt -> {
                assertThat(attempt.method()).isEqualTo(method);
                assertThat(attempt.body()).isEqualTo(KILOBYTE);
            });
            assertThat(response.statusCode()).isEqualTo(attempts == 1 ? status : 200);
            assertThat(response.body()).isEqualTo("status " + response.statusCode());
        }
    }

    @Test
    void repeatsAPostThatTheServerAsksToSendLater() throws Exception {
        try (Stub stub = new Stub(new Answer(503, "2"), new Answer(200, null))) {
            send(request(stub, "POST", BodyPublishers.ofByteArray(KILOBYTE)));

            assertThat(stub.attempts()).hasSize(2);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {502, 503, 504})
    void repeatsAPostWithAKeyThatStaysTheSame(int status) throws Exception {
        try (Stub stub = Stub.of(status, 200)) {
            send(request(stub, "POST", BodyPublishers.ofByteArray(KILOBYTE)).header("Idempotency-Key", "order-17"));

            assertThat(stub.attempts()).hasSize(2).extracting(Attempt::key).containsOnly("order-17");
        }
    }

    @Test
    void repeatsAPostWhoseCallerSaysThatItMayBeDoneTwice() throws Exception {
        try (Stub stub = Stub.of(504, 200)) {
            client().repeatAll()
                    .build()
                    .send(
                            request(stub, "POST", BodyPublishers.ofByteArray(KILOBYTE))
                                    .build(),
                            BodyHandlers.discarding());

            assertThat(stub.attempts()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"GET, 2", "POST, 1"})
    void anAnswerThatDoesNotComeIsAskedForAgainWhereThatDoesNoHarm(String method, int attempts) throws Exception {
        try (Stub stub = Stub.of(0, 200)) {
            HttpRequest.Builder request =
                    request(stub, method, BodyPublishers.ofByteArray(KILOBYTE)).timeout(Duration.ofMillis(300));
            if (attempts == 1) {
                assertThatThrownBy(() -> send(request)).isInstanceOf(HttpTimeoutException.class);
            } else {
                assertThat(send(request).statusCode()).isEqualTo(200);
            }

            assertThat(stub.attempts()).hasSize(attempts);
        }
    }

    @Test
    void aPostThatFoundNoConnectionIsTriedAgain() throws Exception {
        Stub gone = Stub.of(200);
        gone.close();

        assertThatThrownBy(() -> send(request(gone, "POST", BodyPublishers.ofByteArray(KILOBYTE))))
                .isInstanceOf(ConnectException.class);

        assertThat(waits.times).hasSize(3);
    }

    @Test
    void aStreamThatIsReadOnceIsSentAgainWhole() throws Exception {
        byte[] megabyte = bytes(1_000_000);
        InputStream once = new ByteArrayInputStream(megabyte);
        try (Stub stub = Stub.of(429, 503, 200)) {
            send(request(stub, "PUT", BodyPublishers.ofInputStream(() -> once)));

            assertThat(stub.attempts())
                    .hasSize(3)
                    .allSatisfy(attempt -> assertThat(attempt.body()).isEqualTo(megabyte));
        }
    }

    @Test
    void aStreamThatIsTooLargeToKeepIsNeverSentShort() throws Exception {
        InputStream once = new ByteArrayInputStream(bytes(3 << 20));
        try (Stub stub = Stub.of(429, 200)) {
            assertThatThrownBy(() -> send(request(stub, "PUT", BodyPublishers.ofInputStream(() -> once))))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("cannot be replayed")
                    .hasMessageContaining("2097152 bytes")
                    .hasMessageContaining("ofFile");

            assertThat(stub.attempts()).hasSize(1);
        }
    }

    @Test
    void waitsAtLeastAsLongAsTheServerSays() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "5"), new Answer(503, "7"), new Answer(200, null))) {
            send(request(stub, "GET", BodyPublishers.noBody()));

            assertThat(waits.times).hasSize(2);
            assertThat(waits.times.get(0)).isBetween(Duration.ofSeconds(5), Duration.ofMillis(6_250));
            assertThat(waits.times.get(1)).isBetween(Duration.ofSeconds(7), Duration.ofMillis(8_750));
        }
    }

    @Test
    void aWaitThatIsTooLongIsTheCallersToDecide() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "31"))) {
            HttpResponse<String> response = send(request(stub, "GET", BodyPublishers.noBody()));

            assertThat(response.statusCode()).isEqualTo(429);
            assertThat(response.body()).isEqualTo("status 429");
            assertThat(waits.times).isEmpty();
        }
    }

    @Test
    void stopsAfterTheLastAttemptAndGivesItsAnswerBack() throws Exception {
        try (Stub stub = Stub.of(503)) {
            HttpResponse<String> response = client().attempts(200)
                    .retryBudget(1_000)
                    .build()
                    .send(request(stub, "GET", BodyPublishers.noBody()).build(), BodyHandlers.ofString());

            assertThat(stub.attempts()).hasSize(200);
            assertThat(waits.times)
                    .hasSize(199)
                    .allSatisfy(wait -> assertThat(wait).isBetween(Duration.ZERO, Duration.ofSeconds(30)));
            assertThat(response.body()).isEqualTo("status 503");
        }
    }

    @Test
    void aServerThatIsDownIsNotAskedManyTimesAsMuch() throws Exception {
        try (Stub stub = Stub.of(503)) {
            RetryingHttpClient client = client().retryBudget(10).build();
            for (int i = 0; i < 100; i++) {
                client.send(request(stub, "GET", BodyPublishers.noBody()).build(), BodyHandlers.discarding());
            }

            // Ten that were there, and a tenth of each hundred requests.
            assertThat(stub.attempts()).hasSizeBetween(110, 120);
        }
    }

    @Test
    void whoFindsNoPlaceToWaitAtGetsTheAnswerAtOnce() throws Exception {
        try (Stub stub = Stub.of(429, 200)) {
            HttpResponse<String> response = client().mostWaiting(0)
                    .build()
                    .send(request(stub, "GET", BodyPublishers.noBody()).build(), BodyHandlers.ofString());

            assertThat(response.body()).isEqualTo("status 429");
        }
    }

    @Test
    void anInterruptEndsTheWaitAtOnceAndStaysSet() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "20"))) {
            RetryingHttpClient client = client().pause(Pause.system()).build();
            List<Boolean> interrupted = new CopyOnWriteArrayList<>();
            Thread caller = new Thread(() -> {
                try {
                    client.send(request(stub, "GET", BodyPublishers.noBody()).build(), BodyHandlers.discarding());
                } catch (InterruptedException e) {
                    interrupted.add(Thread.currentThread().isInterrupted());
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            });
            caller.start();
            await().until(() -> caller.getState() == Thread.State.TIMED_WAITING
                    && !stub.attempts().isEmpty());

            caller.interrupt();
            caller.join(5_000);

            assertThat(interrupted).containsExactly(true);
        }
    }

    @Test
    void asynchronousRequestsAreRepeatedToo() throws Exception {
        try (Stub stub = Stub.of(429, 503, 200)) {
            HttpResponse<String> response = client().build()
                    .sendAsync(
                            request(stub, "PUT", BodyPublishers.ofByteArray(KILOBYTE))
                                    .build(),
                            BodyHandlers.ofString())
                    .get();

            assertThat(response.body()).isEqualTo("status 200");
            assertThat(stub.attempts())
                    .hasSize(3)
                    .allSatisfy(attempt -> assertThat(attempt.body()).isEqualTo(KILOBYTE));
        }
    }

    @Test
    void anAnswerThatNobodyWantsAnyMoreIsNotAskedForAgain() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "1"), new Answer(200, null))) {
            CompletableFuture<Void> wait = new CompletableFuture<>();
            Pause held = new Pause() {
                @Override
                public void sleep(Duration time) {
                    throw new AssertionError();
                }

                @Override
                public CompletableFuture<Void> later(Duration time) {
                    waits.times.add(time);
                    return wait;
                }
            };
            CompletableFuture<HttpResponse<Void>> answer = client().pause(held)
                    .build()
                    .sendAsync(request(stub, "GET", BodyPublishers.noBody()).build(), BodyHandlers.discarding());
            await().until(() -> !waits.times.isEmpty());

            answer.cancel(true);
            wait.complete(null);

            assertThat(stub.attempts()).hasSize(1);
        }
    }

    @Test
    void ofAThousandWhoWereRefusedAtOnceNobodyComesBackEarly() throws Exception {
        try (Stub stub = new Stub(new Answer(429, "1"))) {
            RetryingHttpClient client = client().pause(Pause.system())
                    .retryBudget(1_000)
                    .attempts(2)
                    .build();
            List<CompletableFuture<HttpResponse<Void>>> callers = new ArrayList<>();
            for (int i = 0; i < 1_000; i++) {
                HttpRequest caller =
                        HttpRequest.newBuilder(stub.uri().resolve("/" + i)).build();
                callers.add(client.sendAsync(caller, BodyHandlers.discarding()));
            }
            for (CompletableFuture<HttpResponse<Void>> caller : callers) {
                caller.get(20, TimeUnit.SECONDS);
            }

            Map<String, List<Attempt>> byCaller =
                    stub.attempts().stream().collect(Collectors.groupingBy(Attempt::path));
            assertThat(byCaller.values()).hasSize(1_000).allSatisfy(attempts -> {
                assertThat(attempts).hasSize(2);
                assertThat(attempts.get(1).nanos() - attempts.get(0).nanos())
                        .isGreaterThanOrEqualTo(Duration.ofSeconds(1).toNanos());
            });
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void takesATokenForEachAttempt(boolean isAsynchronous) throws Exception {
        RulesText rules = new RulesText("service: callers\nrules: [{ name: orders, key: service, limits: 2/h }]");
        try (Stub stub = Stub.of(429, 200);
                RateLimitEngine engine = RateLimitEngine.builder().rules(rules).build()) {
            engine.start();
            Permits permits = engine.permits("orders", ClientIdentifier.SERVICE);
            RetryingHttpClient client = client().pace(permits).build();
            HttpRequest request = request(stub, "GET", BodyPublishers.noBody()).build();

            HttpResponse<String> response = isAsynchronous
                    ? client.sendAsync(request, BodyHandlers.ofString()).get()
                    : client.send(request, BodyHandlers.ofString());

            assertThat(response.body()).isEqualTo("status 200");
            assertThat(permits.tryAcquire()).isFalse();
        }
    }

    @Test
    void asynchronousFailuresAreThoseOfTheClient() throws Exception {
        Stub gone = Stub.of(200);
        gone.close();

        assertThat(client().build()
                        .sendAsync(request(gone, "GET", BodyPublishers.noBody()).build(), BodyHandlers.discarding()))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(ConnectException.class);
        assertThat(waits.times).hasSize(3);
    }
}
