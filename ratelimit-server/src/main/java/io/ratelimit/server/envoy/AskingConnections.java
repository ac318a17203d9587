package io.ratelimit.server.envoy;

import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;

/**
 * Tells which connections ask for decisions. Stands behind the check of tokens. Thread-safe.
 *
 * @param open hears of them
 */
record AskingConnections(OpenConnections open) implements ServerInterceptor {

    @Override
    public <Q, S> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, S> call, Metadata metadata, ServerCallHandler<Q, S> next) {
        open.asked(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR));
        return next.startCall(call, metadata);
    }
}
