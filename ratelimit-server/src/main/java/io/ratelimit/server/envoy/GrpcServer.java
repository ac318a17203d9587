package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptors;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.channel.EventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.protobuf.services.HealthStatusManager;
import io.grpc.protobuf.services.ProtoReflectionServiceV1;
import io.micrometer.core.instrument.MeterRegistry;
import io.ratelimit.server.listen.Listening;
import io.ratelimit.server.listen.StartFailures;
import io.ratelimit.server.listen.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * The port that Envoy asks at: the rate limit service and what describes it behind the check of tokens, and the health
 * service for anybody.
 * Everything that a caller can make larger or longer has a bound. Calls are decided on the threads that read them, for
 * nothing here waits.
 */
final class GrpcServer implements AutoCloseable {

    /** In bytes. Descriptors are paths, addresses and names; a hundred of them have room. */
    static final int LARGEST_MESSAGE = 256 << 10;

    private static final int LARGEST_METADATA = 16 << 10;
    private static final int MOST_CONNECTIONS = 1_000;

    /** Of one connection. Envoy opens another where these are not enough. */
    static final int MOST_CALLS = 1_000;

    /** Envoy cancels calls that take too long; who cancels still more of them is cut off. */
    private static final int MOST_CANCELLED = 10_000;

    private static final int CANCELLED_SECONDS = 10;

    private static final long STOP_SECONDS = 2;

    private final Server server;
    private final HealthStatusManager health;
    private final EventLoopGroup accepting;
    private final EventLoopGroup working;

    private GrpcServer(Server server, HealthStatusManager health, EventLoopGroup accepting, EventLoopGroup working) {
        this.server = server;
        this.health = health;
        this.accepting = accepting;
        this.working = working;
    }

    /** How long connections may take, and last. */
    record Times(Duration handshake, Duration idle, Duration age, Duration ping, Duration pong) {

        static final Times USUAL = new Times(
                Duration.ofSeconds(5),
                Duration.ofMinutes(10),
                Duration.ofMinutes(30),
                Duration.ofSeconds(30),
                Duration.ofSeconds(10));

        /** Clients may make sure so often that the server is there. */
        private static final Duration CLIENT_PING = Duration.ofSeconds(5);

        private static final Duration LAST_CALLS = Duration.ofSeconds(5);

        NettyServerBuilder set(NettyServerBuilder builder) {
            return builder.handshakeTimeout(handshake.toMillis(), TimeUnit.MILLISECONDS)
                    .maxConnectionIdle(idle.toMillis(), TimeUnit.MILLISECONDS)
                    .maxConnectionAge(age.toMillis(), TimeUnit.MILLISECONDS)
                    .maxConnectionAgeGrace(LAST_CALLS.toMillis(), TimeUnit.MILLISECONDS)
                    .keepAliveTime(ping.toMillis(), TimeUnit.MILLISECONDS)
                    .keepAliveTimeout(pong.toMillis(), TimeUnit.MILLISECONDS)
                    .permitKeepAliveTime(CLIENT_PING.toMillis(), TimeUnit.MILLISECONDS)
                    .permitKeepAliveWithoutCalls(true);
        }
    }

    /**
     * Starts the server.
     *
     * @param place where it listens, with its certificate
     * @param service the rate limit service
     * @param tokens whether a token is one of those that may ask, in a time that tells nothing of it; null where anybody
     *     may
     * @param meters where its meters live
     * @return the server, which answers
     * @throws io.ratelimit.server.listen.ServerStartException if it cannot listen, or the certificate cannot be read
     */
    public static GrpcServer start(
            Listening place, BindableService service, @Nullable Predicate<String> tokens, MeterRegistry meters) {
        return start(place, service, tokens, meters, Times.USUAL, MOST_CONNECTIONS);
    }

    static GrpcServer start(
            Listening place,
            BindableService service,
            @Nullable Predicate<String> tokens,
            MeterRegistry meters,
            Times times,
            int connections) {
        NettyServerBuilder builder = NettyServerBuilder.forAddress(new InetSocketAddress(place.host(), place.port()));
        if (place.tls() != null) {
            builder.sslContext(certificate(place, place.tls()));
        }
        HealthStatusManager health = new HealthStatusManager();
        EventLoopGroup accepting = loops(1, "envoy-accept");
        EventLoopGroup working = loops(0, "envoy-grpc");
        OpenConnections open = new OpenConnections(connections, meters);
        times.set(builder)
                .bossEventLoopGroup(accepting)
                .workerEventLoopGroup(working)
                .channelFactory(() -> new CountedServerChannel(open))
                .directExecutor()
                .maxInboundMessageSize(LARGEST_MESSAGE)
                .maxInboundMetadataSize(LARGEST_METADATA)
                .maxConcurrentCallsPerConnection(MOST_CALLS)
                .maxRstFramesPerWindow(MOST_CANCELLED, CANCELLED_SECONDS)
                .addService(ServerInterceptors.intercept(
                        service, new CallMeters(meters), new AskingConnections(open), new TokenCheck(tokens)))
                .addService(
                        ServerInterceptors.intercept(ProtoReflectionServiceV1.newInstance(), new TokenCheck(tokens)))
                .addService(health.getHealthService());
        GrpcServer made = new GrpcServer(builder.build(), health, accepting, working);
        try {
            made.server.start();
        } catch (IOException e) {
            made.close();
            throw new StartFailures(place).cannotListen(e);
        } catch (UnresolvedAddressException e) {
            made.close();
            throw new StartFailures(place).cannotListen(new IOException("no such host", e));
        }
        health.setStatus(RateLimitServiceGrpc.SERVICE_NAME, ServingStatus.SERVING);
        return made;
    }

    /** So many threads, 0 for as many as suit the machine. */
    private static EventLoopGroup loops(int threads, String name) {
        return new MultiThreadIoEventLoopGroup(
                threads, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
    }

    private static SslContext certificate(Listening place, TlsSettings tls) {
        char[] password = tls.password().toCharArray();
        try (InputStream in = Files.newInputStream(tls.keyStore())) {
            KeyStore keys = KeyStore.getInstance("PKCS12");
            keys.load(in, password);
            KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            managers.init(keys, password);
            return GrpcSslContexts.configure(SslContextBuilder.forServer(managers), SslProvider.JDK)
                    .build();
        } catch (IOException e) {
            throw new StartFailures(place).cannotStart(e);
        } catch (GeneralSecurityException e) {
            throw new StartFailures(place).cannotStart(new IOException(e));
        }
    }

    /**
     * The port that it listens on.
     *
     * @return the port that was taken
     */
    public int port() {
        return server.getPort();
    }

    /** Says that it leaves, answers the calls under way, and stops. */
    @Override
    public void close() {
        health.enterTerminalState();
        server.shutdown();
        try {
            if (!server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            server.shutdownNow();
            Thread.currentThread().interrupt();
        } finally {
            accepting.shutdownGracefully(0, 1, TimeUnit.SECONDS);
            working.shutdownGracefully(0, 1, TimeUnit.SECONDS);
        }
    }
}
