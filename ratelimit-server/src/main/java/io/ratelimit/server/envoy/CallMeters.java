package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Times calls by what is answered: {@code ok}, {@code over_limit}, or the name of gRPC's error;
 * {@code cancelled} are those of callers that hung up. Thread-safe.
 *
 * @param registry where the meters live
 */
record CallMeters(MeterRegistry registry) implements ServerInterceptor {

    @Override
    public <Q, S> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, S> call, Metadata metadata, ServerCallHandler<Q, S> next) {
        long begin = System.nanoTime();
        AtomicBoolean recorded = new AtomicBoolean();
        ServerCall.Listener<Q> listener = next.startCall(
                new SimpleForwardingServerCall<>(call) {

                    private String answer = "none";

                    @Override
                    public void sendMessage(S message) {
                        if (message instanceof RateLimitResponse response) {
                            answer = response.getOverallCode().name();
                        }
                        super.sendMessage(message);
                    }

                    @Override
                    public void close(Status status, Metadata trailers) {
                        record(status.isOk() ? answer : status.getCode().name(), begin, recorded);
                        super.close(status, trailers);
                    }
                },
                metadata);
        return new SimpleForwardingServerCallListener<>(listener) {

            /** The caller hung up. */
            @Override
            public void onCancel() {
                record(Status.Code.CANCELLED.name(), begin, recorded);
                super.onCancel();
            }
        };
    }

    /** Whoever hangs up may be answered all the same: what came first counts. */
    private void record(String answer, long begin, AtomicBoolean recorded) {
        if (recorded.getAndSet(true)) {
            return;
        }
        Timer.builder("ratelimit.envoy.requests")
                .description("Time of a call of Envoy until its answer is ready")
                .tag("answer", answer.toLowerCase(Locale.ROOT))
                .register(registry)
                .record(Duration.ofNanos(System.nanoTime() - begin));
    }
}
