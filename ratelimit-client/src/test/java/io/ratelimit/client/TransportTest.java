package io.ratelimit.client;

import static io.ratelimit.client.ScriptedServer.saying;
import static io.ratelimit.client.ScriptedServer.sayingForever;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.hamcrest.Matchers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every way to a daemon does, whichever client it uses. */
@ParameterizedClass
@EnumSource(Client.class)
class TransportTest {

    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";

    @Parameter
    Client client;

    private ScriptedServer server;
    private Transport transport;

    @BeforeEach
    void start() throws IOException {
        server = new ScriptedServer(saying(OK));
        transport = client.open(server.address(), null, 100);
    }

    @AfterEach
    void stop() throws IOException {
        transport.close();
        server.close();
    }

    private CompletableFuture<Reply> ask(Duration patience) {
        return transport.send("POST", "/v1/decide", Map.of("Authorization", "Bearer t1"), "{\"user\":\"ü\"}", patience);
    }

    private Reply answer() throws Exception {
        return ask(LONG).get(20, TimeUnit.SECONDS);
    }

    private Throwable failure(Duration patience) {
        return catchThrowableOfType(
                        ExecutionException.class, () -> ask(patience).get(20, TimeUnit.SECONDS))
                .getCause();
    }

    @Test
    void tellsWhatWasAnswered() throws Exception {
        server.script = saying("HTTP/1.1 206 Odd\r\nETag: \"7\"\r\nContent-Type: text/html; charset=odd\r\n"
                + "Content-Length: 2\r\n\r\nü");

        assertThat(answer()).isEqualTo(new Reply(206, "\"7\"", "ü"));
    }

    @Test
    void anAnswerMayHaveNothingInIt() throws Exception {
        server.script = saying("HTTP/1.1 304 Not Modified\r\nETag: \"7\"\r\n\r\n");

        assertThat(transport.send("GET", "/v1/rules", Map.of(), null, LONG).get(20, TimeUnit.SECONDS))
                .isEqualTo(new Reply(304, "\"7\"", ""));
    }

    @Test
    void sendsWhatItIsGivenAndNothingThatChangesTheAnswer() throws Exception {
        answer();

        assertThat(server.requests).singleElement().satisfies(request -> {
            assertThat(request)
                    .startsWith("POST /v1/decide HTTP/1.1\r\n")
                    .contains("Authorization: Bearer t1\r\n")
                    .endsWith("\r\n\r\n{\"user\":\"ü\"}");
            assertThat(request.toLowerCase(Locale.ROOT)).doesNotContain("accept-encoding", "upgrade", "expect");
        });
    }

    @Test
    void keepsItsConnection() throws Exception {
        for (int i = 0; i < 20; i++) {
            answer();
        }

        assertThat(server.connections).hasValue(1);
    }

    @Test
    void aConnectionThatIsClosedMeanwhileIsMadeAnew() throws Exception {
        server.script = out -> {
            saying(OK).answer(out);
            return false;
        };
        for (int i = 1; i <= 3; i++) {
            int calls = i;
            assertThat(answer().status()).isEqualTo(200);
            await().pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(2))
                    .untilAtomic(server.ended, Matchers.is(calls));
            // The end must have come through the socket.
            Thread.sleep(20);
        }
    }

    @Test
    void keepsNoCookies() throws Exception {
        server.script = saying(OK.replace("Content-Length", "Set-Cookie: id=1; Path=/\r\nContent-Length"));
        answer();
        answer();

        assertThat(server.requests).hasSize(2).noneMatch(request -> request.contains("id=1"));
    }

    @ParameterizedTest
    @ValueSource(ints = {301, 302, 303, 307, 308})
    void aRedirectIsNotFollowed(int status) throws Exception {
        try (ScriptedServer other = new ScriptedServer(saying(OK))) {
            server.script = saying("HTTP/1.1 " + status + " Moved\r\nLocation: "
                    + other.address().text() + "/v1/decide\r\nContent-Length: 0\r\n\r\n");

            assertThat(answer().status()).isEqualTo(status);
            assertThat(other.connections).hasValue(0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "401 Unauthorized",
                "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"",
                "407 Proxy Authentication Required",
                "407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm=\"a\"",
            })
    void aCallThatIsNotAllowedIsNotRepeated(String status) throws Exception {
        server.script = saying("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n");

        assertThat(answer().status()).isEqualTo(Integer.parseInt(status.substring(0, 3)));
        assertThat(server.requests).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nonsense\r\n\r\n",
                "\u0000\u0001\u0002\u0003\u0004\r\n\r\n",
                "HTTP/1.1 -200 OK\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 2x0 OK\r\nContent-Length: 2\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n{}",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{}",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "",
            })
    void whatIsNoAnswerFails(String nonsense) {
        server.script = out -> {
            saying(nonsense).answer(out);
            return false;
        };

        assertThat(failure(LONG)).isNotNull().isNotInstanceOf(ConnectException.class);
    }

    @Test
    void aServerThatSaysNothingIsWaitedForAsLongAsThereIsPatience() {
        server.script = saying("");
        long start = System.nanoTime();

        assertThat(failure(PATIENCE)).isNotInstanceOf(ConnectException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(PATIENCE.minusMillis(20), PATIENCE.plusMillis(800));
        await().untilAtomic(server.ended, Matchers.is(1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"})
    void aServerThatNeverComesToAnEndIsWaitedForAsLongAsThereIsPatience(String begin) {
        server.script = out -> {
            out.write(begin.getBytes(StandardCharsets.UTF_8));
            for (int i = 0; i < 1_000; i++) {
                out.write(begin.isEmpty() ? "HTTP/1.1 200 OK\r\n".charAt(i % 10) : 'x');
                Thread.sleep(20);
            }
            return false;
        };
        long start = System.nanoTime();

        assertThat(failure(PATIENCE)).isNotNull();
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(PATIENCE.plusMillis(800));
    }

    @Test
    void anAnswerThatIsTooLargeIsNotReadToItsEnd() {
        String chunk = Integer.toHexString(1 << 16) + "\r\n" + "x".repeat(1 << 16) + "\r\n";
        server.script = sayingForever("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", chunk);

        assertThat(failure(LONG)).isNotNull();
        await().untilAtomic(server.ended, Matchers.is(1));
    }

    @Test
    void anAnswerThatSaysThatItIsTooLargeIsNotRead() {
        server.script = sayingForever("HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n", "x".repeat(1 << 16));

        assertThat(failure(LONG)).isNotNull();
        await().untilAtomic(server.ended, Matchers.is(1));
    }

    /** The JDK's client reads the first three digits. */
    @Test
    void aStatusBeyondAllStatusesIsNoneThatDecides() {
        server.script = saying("HTTP/1.1 4294967496 OK\r\nContent-Length: 2\r\n\r\n{}");

        CompletableFuture<Integer> status = ask(LONG).handle((reply, failure) -> failure == null ? reply.status() : 0);
        assertThat(status).succeedsWithin(20, TimeUnit.SECONDS).isIn(0, 429);
    }

    @Test
    void aHeaderWithoutEndIsNotReadForLong() {
        AtomicLong bytes = new AtomicLong();
        byte[] line = ("X-More: " + "x".repeat(1_000) + "\r\n").getBytes(StandardCharsets.UTF_8);
        server.script = out -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(StandardCharsets.UTF_8));
            while (true) {
                out.write(line);
                bytes.addAndGet(line.length);
            }
        };

        assertThat(failure(LONG)).isNotNull();
        // What finds room in the sockets' buffers.
        assertThat(bytes).hasValueLessThan(32 << 20);
    }

    @Test
    void whereNobodyListensNothingWasSent() throws Exception {
        server.close();

        assertThat(failure(LONG)).isInstanceOf(ConnectException.class);
    }

    @Test
    void anInterruptedThreadCanAsk() throws Exception {
        Thread.currentThread().interrupt();
        CompletableFuture<Reply> connecting = ask(LONG);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(connecting.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);

        Thread.currentThread().interrupt();
        CompletableFuture<Reply> connected = ask(LONG);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(connected.get(20, TimeUnit.SECONDS).status()).isEqualTo(200);
    }

    @Test
    void manyCallsTakeFewThreadsWhichKeepNoJvmAlive() throws Exception {
        List<Thread> before = threads();
        CountDownLatch isCounted = new CountDownLatch(1);
        server.script = out -> {
            isCounted.await();
            return saying(OK).answer(out);
        };
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            calls.add(ask(LONG));
        }
        await().pollDelay(Duration.ZERO).until(() -> server.requests.size() == 100);

        List<Thread> added = threads();
        added.removeAll(before);
        // The JDK's client has a thread of its own for connections, Jetty's one for times.
        assertThat(added).hasSizeBetween(1, Transport.MOST_THREADS + 1).allMatch(Thread::isDaemon);
        isCounted.countDown();
        assertThat(calls).allSatisfy(call -> assertThat(call).succeedsWithin(LONG));
    }

    private static List<Thread> threads() {
        return new ArrayList<>(Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ratelimit-")
                        || thread.getName().startsWith("HttpClient"))
                .toList());
    }

    @Test
    void callsUnderWayEndWhereItIsClosed() throws Exception {
        server.script = saying("");
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            calls.add(ask(Duration.ofSeconds(1)));
        }
        await().pollDelay(Duration.ZERO).until(() -> !server.requests.isEmpty());
        long start = System.nanoTime();
        transport.close();

        assertThat(calls)
                .allSatisfy(call -> assertThat(call)
                        .failsWithin(5, TimeUnit.SECONDS)
                        .withThrowableOfType(ExecutionException.class));
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(5));
    }

    @Test
    void closingTwiceDoesNoHarm() {
        transport.close();

        transport.close();
    }

    @Test
    void whatCannotBeSentIsToldAtOnce() {
        assertThatThrownBy(() ->
                        transport.send("POST", "/ /", Map.of(), "{}", LONG).get(1, TimeUnit.SECONDS))
                .isNotNull();
        assertThat(server.requests).isEmpty();
    }
}
