package io.ratelimit.server.envoy;

import static io.ratelimit.server.envoy.RunningEnvoyService.request;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.health.v1.HealthGrpc;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.reflection.v1.ServerReflectionGrpc;
import io.grpc.reflection.v1.ServerReflectionRequest;
import io.grpc.reflection.v1.ServerReflectionResponse;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.MetadataUtils;
import io.grpc.stub.StreamObserver;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.ServerStartException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** The port, and clients that mean it harm or break down in the middle. */
class GrpcServerTest {

    private static final Listening LOOPBACK = new Listening("127.0.0.1", 0, "--grpc-port", null);
    private static final String TOKEN = "a-token-of-the-daemon";
    private static final String USERS =
            "domain: shop\ndescriptors: [{ key: user, rate_limit: { unit: minute, requests_per_unit: 5 } }]";

    private static final GrpcServer.Times SHORT = new GrpcServer.Times(
            Duration.ofMillis(300),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMillis(1_000),
            Duration.ofMillis(300));

    /** What HTTP/2 connections begin with (RFC 9113 section 3.4), and an empty SETTINGS frame. */
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] SETTINGS = {0, 0, 0, 4, 0, 0, 0, 0, 0};

    private RunningEnvoyService service =
            RunningEnvoyService.setup().descriptors(USERS).start();

    private void restart(RunningEnvoyService.Setup setup) {
        service.close();
        service = setup.descriptors(USERS).start();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    private void stillAnswers() {
        assertThat(service.told("shop", "user=anybody")).startsWith("OK ok:");
    }

    private static Status.Code codeOf(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    private Status.Code askWith(String... authorizations) {
        Metadata metadata = new Metadata();
        for (String authorization : authorizations) {
            metadata.put(Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER), authorization);
        }
        return codeOf(() -> service.stub()
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                .shouldRateLimit(request("shop", "user=alice").build()));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "Bearer", "Bearer ", "Bearer wrong", "Basic " + TOKEN, TOKEN, "Bearer " + TOKEN + "x"})
    void whoHasNoTokenIsNotAnswered(@Nullable String authorization) {
        restart(RunningEnvoyService.setup().token(TOKEN));

        assertThat(authorization == null ? askWith() : askWith(authorization)).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @Test
    void ofTwoTokensNoneCounts() {
        restart(RunningEnvoyService.setup().token(TOKEN));

        assertThat(askWith("Bearer " + TOKEN, "Bearer of-somebody-else")).isEqualTo(Status.Code.UNAUTHENTICATED);
        assertThat(askWith("Bearer of-somebody-else", "Bearer " + TOKEN)).isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bearer " + TOKEN, "bearer " + TOKEN, "Bearer  " + TOKEN + " "})
    void whoHasATokenIsAnswered(String authorization) {
        restart(RunningEnvoyService.setup().token(TOKEN));

        assertThat(askWith(authorization)).isEqualTo(Status.Code.OK);
    }

    @Test
    void anybodyMayAskForItsHealth() {
        restart(RunningEnvoyService.setup().token(TOKEN));
        HealthGrpc.HealthBlockingStub health = HealthGrpc.newBlockingStub(service.channel());

        assertThat(List.of("", RateLimitServiceGrpc.SERVICE_NAME))
                .allSatisfy(name -> assertThat(health.check(HealthCheckRequest.newBuilder()
                                        .setService(name)
                                        .build())
                                .getStatus())
                        .isEqualTo(ServingStatus.SERVING));
    }

    @Test
    void whoHasNoTokenIsNotToldWhatThereIs() {
        restart(RunningEnvoyService.setup().token(TOKEN));

        assertThat(raw("grpc.reflection.v1.ServerReflection/ServerReflectionInfo", new byte[0]))
                .isEqualTo(Status.Code.UNAUTHENTICATED);
    }

    /** As tools do that know nothing of Envoy: they need each file that another one imports. */
    @Test
    void toolsAreToldWhatCallsLookLike() throws Exception {
        List<FileDescriptorProto> files = new ArrayList<>();
        for (ByteString file : filesOf(RateLimitServiceGrpc.SERVICE_NAME)) {
            files.add(FileDescriptorProto.parseFrom(file));
        }

        assertThat(files)
                .flatExtracting(FileDescriptorProto::getServiceList)
                .extracting(ServiceDescriptorProto::getName)
                .contains("RateLimitService");
        assertThat(files)
                .extracting(FileDescriptorProto::getName)
                .containsAll(files.stream()
                        .flatMap(file -> file.getDependencyList().stream())
                        .toList());
    }

    private List<ByteString> filesOf(String symbol) throws Exception {
        CompletableFuture<ServerReflectionResponse> answered = new CompletableFuture<>();
        StreamObserver<ServerReflectionRequest> asking = ServerReflectionGrpc.newStub(service.channel())
                .serverReflectionInfo(new StreamObserver<>() {
                    @Override
                    public void onNext(ServerReflectionResponse answer) {
                        answered.complete(answer);
                    }

                    @Override
                    public void onError(Throwable failure) {
                        answered.completeExceptionally(failure);
                    }

                    @Override
                    public void onCompleted() {}
                });
        asking.onNext(ServerReflectionRequest.newBuilder()
                .setFileContainingSymbol(symbol)
                .build());
        asking.onCompleted();
        return answered.get(20, TimeUnit.SECONDS).getFileDescriptorResponse().getFileDescriptorProtoList();
    }

    private Status.Code raw(String method, byte[] message) {
        MethodDescriptor.Marshaller<byte[]> bytes = new MethodDescriptor.Marshaller<>() {
            @Override
            public InputStream stream(byte[] value) {
                return new ByteArrayInputStream(value);
            }

            @Override
            public byte[] parse(InputStream stream) {
                return new byte[0];
            }
        };
        MethodDescriptor<byte[], byte[]> unary = MethodDescriptor.newBuilder(bytes, bytes)
                .setType(MethodDescriptor.MethodType.UNARY)
                .setFullMethodName(method)
                .build();
        return codeOf(() -> ClientCalls.blockingUnaryCall(service.channel(), unary, CallOptions.DEFAULT, message));
    }

    @Test
    void aMalformedMessageIsAnErrorOfItsSender() {
        byte[] malformed = {(byte) 0x0A, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, (byte) 0x0F, 1, 2, 3};

        assertThat(raw(RateLimitServiceGrpc.getShouldRateLimitMethod().getFullMethodName(), malformed))
                .isIn(Status.Code.INTERNAL, Status.Code.UNKNOWN, Status.Code.INVALID_ARGUMENT);
        stillAnswers();
    }

    @Test
    void aMessageThatIsTooLargeIsRefused() {
        RateLimitRequest.Builder large = request("shop", "user=" + "x".repeat(1 << 20));

        assertThat(codeOf(() -> service.ask(large))).isIn(Status.Code.RESOURCE_EXHAUSTED, Status.Code.CANCELLED);
        stillAnswers();
    }

    @Test
    void metadataThatAreTooLargeAreRefused() {
        Metadata metadata = new Metadata();
        metadata.put(Metadata.Key.of("x", Metadata.ASCII_STRING_MARSHALLER), "x".repeat(100_000));

        assertThat(codeOf(() -> service.stub()
                        .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(metadata))
                        .shouldRateLimit(request("shop", "user=alice").build())))
                .isNotEqualTo(Status.Code.OK);
        stillAnswers();
    }

    @Test
    void aConnectionThatNeverSaysWhatItIsIsClosed() throws IOException {
        restart(RunningEnvoyService.setup().times(SHORT));

        try (Socket mute = connect();
                Socket slow = connect()) {
            slow.getOutputStream().write(PREFACE, 0, 5);
            assertIsClosed(mute);
            assertIsClosed(slow);
        }
        stillAnswers();
    }

    @Test
    @Tag("cluster")
    void aConnectionThatFallsSilentIsClosed() throws IOException {
        restart(RunningEnvoyService.setup().times(SHORT));

        try (Socket silent = connect()) {
            OutputStream out = silent.getOutputStream();
            out.write(PREFACE);
            out.write(SETTINGS);
            out.flush();
            // It reads, and answers no ping.
            assertIsClosed(silent);
        }
        stillAnswers();
    }

    @Test
    void controlCharactersNeverReachTheLog() {
        restart(RunningEnvoyService.setup()
                .setting("logRefusals", "100")
                .rules("service: shop\nrules: [{ name: none, key: service, limits: \"0\" }]"));
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        try {
            String forged = "\r\n\u001b[31m12:00:00 ERROR forged";
            assertThat(service.told("shop", "path=/a" + forged + ",method=G" + forged + ",user=u" + forged))
                    .isEqualTo("OVER_LIMIT over:0");
            assertThat(service.told("shop", "k" + forged + "=1")).isEqualTo("OVER_LIMIT over:0");
            await().until(() -> log.list.stream()
                    .anyMatch(line -> line.getFormattedMessage().contains("forged")));
        } finally {
            root.detachAppender(log);
        }
        assertThat(log.list)
                .allSatisfy(line -> assertThat(line.getFormattedMessage()).doesNotContain("\r", "\n", "\u001b"));
    }

    @Test
    void aFloodOfDistinctKeysStaysWithinTheRoomForClients() {
        restart(RunningEnvoyService.setup().setting("maxClients", "1000"));
        for (int i = 0; i < 200; i++) {
            String[] users = new String[100];
            for (int j = 0; j < users.length; j++) {
                users[j] = "user=" + i + "-" + j;
            }
            assertThat(service.ask("shop", users).getStatusesCount()).isEqualTo(100);
        }

        assertThat(service.engine().keys()).isLessThanOrEqualTo(1_100);
        assertThat(service.ask("shop", "user=anybody").getOverallCode()).isEqualTo(RateLimitResponse.Code.OK);
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), service.port());
        // gRPC asks after silent clients every ten seconds at most.
        socket.setSoTimeout(20_000);
        return socket;
    }

    private static void assertIsClosed(Socket socket) {
        byte[] read = new byte[1_024];
        try {
            InputStream in = socket.getInputStream();
            int count = 0;
            while (count >= 0) {
                count = in.read(read);
            }
        } catch (java.net.SocketTimeoutException e) {
            throw new AssertionError("still open", e);
        } catch (IOException reset) {
            // Is closed as well.
        }
    }

    @Test
    void connectionsThatAreTooManyAreClosedAtOnce() throws Exception {
        restart(RunningEnvoyService.setup().connections(1));
        stillAnswers();

        for (int i = 0; i < 3; i++) {
            try (Socket tooMany = connect()) {
                assertIsClosed(tooMany);
            }
        }
        stillAnswers();
        assertThat(service.meters.get("ratelimit.envoy.connections").gauge().value())
                .isEqualTo(1);
    }

    @Test
    void connectionsThatNeverAskedMakeRoomForOthers() throws Exception {
        restart(RunningEnvoyService.setup().connections(3));
        List<Socket> silent = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Socket socket = connect();
            socket.getOutputStream().write(PREFACE);
            socket.getOutputStream().write(SETTINGS);
            silent.add(socket);
        }
        await().until(() ->
                service.meters.get("ratelimit.envoy.connections").gauge().value() == 3);

        stillAnswers();
        assertIsClosed(silent.get(0));
        stillAnswers();
        for (Socket socket : silent) {
            socket.close();
        }
        await().until(() ->
                service.meters.get("ratelimit.envoy.connections").gauge().value() == 1);
    }

    /** A service that answers when it is told to. */
    private static final class Waiting extends RateLimitServiceGrpc.RateLimitServiceImplBase {

        private final Queue<StreamObserver<RateLimitResponse>> calls = new ConcurrentLinkedQueue<>();

        @Override
        public void shouldRateLimit(RateLimitRequest request, StreamObserver<RateLimitResponse> response) {
            calls.add(response);
        }

        /** Answers all that have come, and none of those that come meanwhile. */
        void answer() {
            for (int left = calls.size(); left > 0; left--) {
                StreamObserver<RateLimitResponse> call = calls.remove();
                call.onNext(RateLimitResponse.getDefaultInstance());
                call.onCompleted();
            }
        }
    }

    private static GrpcServer serving(Waiting waiting) {
        return GrpcServer.start(LOOPBACK, waiting, null, new SimpleMeterRegistry());
    }

    private static ManagedChannel channel(GrpcServer server) {
        return NettyChannelBuilder.forAddress("127.0.0.1", server.port())
                .usePlaintext()
                .build();
    }

    @Test
    void callsOfOneConnectionThatAreTooManyWait() throws Exception {
        Waiting waiting = new Waiting();
        try (GrpcServer server = serving(waiting)) {
            ManagedChannel channel = channel(server);
            RateLimitServiceGrpc.RateLimitServiceFutureStub stub = RateLimitServiceGrpc.newFutureStub(channel);
            List<? extends Future<RateLimitResponse>> asked = IntStream.range(0, GrpcServer.MOST_CALLS + 200)
                    .mapToObj(i -> stub.shouldRateLimit(RateLimitRequest.getDefaultInstance()))
                    .toList();

            await().until(() -> waiting.calls.size() == GrpcServer.MOST_CALLS);
            await().during(Duration.ofMillis(200)).until(() -> waiting.calls.size() == GrpcServer.MOST_CALLS);
            waiting.answer();
            await().until(() -> waiting.calls.size() == 200);
            waiting.answer();
            for (Future<RateLimitResponse> answer : asked) {
                answer.get();
            }
            channel.shutdownNow();
        }
    }

    @Test
    void callsUnderWayAreAnsweredBeforeItStops() throws Exception {
        Waiting waiting = new Waiting();
        GrpcServer server = serving(waiting);
        ManagedChannel channel = channel(server);
        Future<RateLimitResponse> asked =
                RateLimitServiceGrpc.newFutureStub(channel).shouldRateLimit(RateLimitRequest.getDefaultInstance());
        await().until(() -> waiting.calls.size() == 1);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(server::close);
        await().during(Duration.ofMillis(200)).until(() -> !closed.isDone());
        waiting.answer();

        assertThat(asked.get()).isEqualTo(RateLimitResponse.getDefaultInstance());
        closed.get();
        assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), server.port()).close())
                .isInstanceOf(Exception.class);
        channel.shutdownNow();
    }

    @Test
    void whoHangsUpIsCounted() {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        try (GrpcServer server = GrpcServer.start(LOOPBACK, new Waiting(), null, meters)) {
            ManagedChannel channel = channel(server);

            assertThatThrownBy(() -> RateLimitServiceGrpc.newBlockingStub(channel)
                            .withDeadlineAfter(100, TimeUnit.MILLISECONDS)
                            .shouldRateLimit(RateLimitRequest.getDefaultInstance()))
                    .isInstanceOf(StatusRuntimeException.class);

            await().until(() -> meters.find("ratelimit.envoy.requests")
                            .tag("answer", "cancelled")
                            .timer()
                    != null);
            channel.shutdownNow();
        }
    }

    @Test
    void aPortThatIsTakenIsSaid() {
        assertThatThrownBy(() -> start(new Listening("127.0.0.1", service.port(), "--grpc-port", null)))
                .isInstanceOf(ServerStartException.class)
                .hasMessageStartingWith("cannot listen on 127.0.0.1 port " + service.port())
                .hasMessageEndingWith("stop what listens there, or give --grpc-port another");
        assertThatThrownBy(() -> start(new Listening("no-such-host.invalid", 0, "--grpc-port", null)))
                .isInstanceOf(ServerStartException.class)
                .hasMessageContaining("there is no such host");
    }

    private static void start(Listening place) {
        GrpcServer.start(place, new Waiting(), null, new SimpleMeterRegistry()).close();
    }
}
