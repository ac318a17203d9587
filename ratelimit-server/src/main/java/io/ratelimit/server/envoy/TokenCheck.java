package io.ratelimit.server.envoy;

import com.google.common.collect.ImmutableList;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.ratelimit.server.listen.BearerToken;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers in whose metadata have a token: {@code authorization: Bearer TOKEN}. Thread-safe.
 *
 * @param tokens whether a token is one of those that may ask, or null where anybody may
 */
record TokenCheck(@Nullable Predicate<String> tokens) implements ServerInterceptor {

    private static final Metadata.Key<String> AUTHORIZATION =
            Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

    @Override
    public <Q, S> ServerCall.Listener<Q> interceptCall(
            ServerCall<Q, S> call, Metadata metadata, ServerCallHandler<Q, S> next) {
        if (tokens == null || mayAsk(tokens, metadata.getAll(AUTHORIZATION))) {
            return next.startCall(call, metadata);
        }
        call.close(
                Status.UNAUTHENTICATED.withDescription(
                        "send one of the daemon's tokens, once, as 'authorization: Bearer TOKEN' in initial_metadata"),
                new Metadata());
        return new ServerCall.Listener<>() {};
    }

    private static boolean mayAsk(Predicate<String> tokens, @Nullable Iterable<String> authorization) {
        String token = authorization == null ? null : BearerToken.in(ImmutableList.copyOf(authorization));
        return token != null && tokens.test(token);
    }
}
