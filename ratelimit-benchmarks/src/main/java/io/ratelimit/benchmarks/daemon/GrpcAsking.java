package io.ratelimit.benchmarks.daemon;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitResponse;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitServiceGrpc.RateLimitServiceBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

/** Asks Envoy's rate limit service, by one connection. */
final class GrpcAsking implements Asking {

    private final ManagedChannel channel;
    private final RateLimitServiceBlockingStub service;

    GrpcAsking(int port) {
        channel = NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .directExecutor()
                .build();
        service = RateLimitServiceGrpc.newBlockingStub(channel);
    }

    @Override
    public boolean ask(String client) {
        RateLimitDescriptor descriptor = RateLimitDescriptor.newBuilder()
                .addEntries(
                        RateLimitDescriptor.Entry.newBuilder().setKey("user").setValue(client))
                .build();
        RateLimitRequest request = RateLimitRequest.newBuilder()
                .setDomain(DaemonProcess.SERVICE)
                .addDescriptors(descriptor)
                .build();
        RateLimitResponse answer = service.shouldRateLimit(request);
        return answer.getOverallCode() == RateLimitResponse.Code.OK
                && answer.getStatuses(0).hasCurrentLimit();
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
