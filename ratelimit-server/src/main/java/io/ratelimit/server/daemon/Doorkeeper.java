package io.ratelimit.server.daemon;

import io.ratelimit.server.listen.BearerToken;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * Says who may ask. Where there are no tokens, whoever reaches the port is believed; a Unix domain socket is guarded by
 * its file's permissions alone.
 */
final class Doorkeeper {

    /** Of nginx, which passes its client's own Authorization on. */
    static final String OWN_FIELD = "X-RateLimit-Token";

    private final @Nullable Tokens callers;
    private final @Nullable Tokens operators;

    /**
     * Hands in the tokens.
     *
     * @param callers the tokens of those who ask for decisions, or null where anybody may
     * @param operators the tokens of operators, or null where there are none
     */
    Doorkeeper(@Nullable Tokens callers, @Nullable Tokens operators) {
        this.callers = callers;
        this.operators = operators;
    }

    /** Whether anybody may ask who reaches the port. */
    boolean isOpenTo(Access access) {
        return access == Access.ANYBODY || (callers == null && (access == Access.CALLER || operators == null));
    }

    /** Whether whoever has a token may ask. */
    boolean admits(String token, Access access) {
        return (operators != null && operators.include(token))
                || (access == Access.CALLER && callers != null && callers.include(token));
    }

    /** The answer to a request that may not ask; empty for one that may. */
    Optional<Answer> refuse(Access access, Request request) {
        if (isOpenTo(access) || isByFile(request)) {
            return Optional.empty();
        }
        String token = token(request);
        if (token != null && admits(token, access)) {
            return Optional.empty();
        }
        return Optional.of(
                token != null && admits(token, Access.CALLER)
                        ? Answer.problem(
                                403, "this is for operators: send a token of the file that --operator-token-file names")
                        : Answer.problem(401, "send one token that the daemon knows, once, as Authorization: Bearer …")
                                .with("WWW-Authenticate", "Bearer realm=\"ratelimit\""));
    }

    private static boolean isByFile(Request request) {
        return request.getConnectionMetaData().getLocalSocketAddress() instanceof UnixDomainSocketAddress;
    }

    /** Null where there is none, or it is not clear which of several counts: somebody may have added one on the way. */
    private static @Nullable String token(Request request) {
        List<String> own = request.getHeaders().getValuesList(OWN_FIELD);
        if (own.isEmpty()) {
            return BearerToken.in(request.getHeaders().getValuesList(HttpHeader.AUTHORIZATION));
        }
        return own.size() == 1 ? own.get(0) : null;
    }
}
