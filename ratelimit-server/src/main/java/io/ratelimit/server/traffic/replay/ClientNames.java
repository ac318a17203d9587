package io.ratelimit.server.traffic.replay;

import com.google.common.base.Ascii;
import io.ratelimit.rules.Identity;
import io.ratelimit.server.traffic.RecordedRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Names the clients of recorded requests, such as {@code user=alice}.
 *
 * @param clients how clients are told apart: the first that is present
 */
record ClientNames(List<Identity> clients) {

    /** Of a request that carries nothing that would tell a client apart. */
    private static final String NOBODY = "(unknown)";

    String of(RecordedRequest request) {
        for (Identity identity : clients) {
            String value = value(identity, request);
            if (value != null && !value.isBlank()) {
                return identity + "=" + value;
            }
        }
        return NOBODY;
    }

    private static @Nullable String value(Identity identity, RecordedRequest request) {
        String name = identity.name() == null ? "" : identity.name();
        return switch (identity.kind()) {
            case USER -> request.user();
            case IP -> request.ip();
            case BEARER -> first(request.headers().get("authorization"));
            case HEADER -> first(request.headers().get(Ascii.toLowerCase(name)));
            case COOKIE -> request.cookies().get(name);
            case ATTRIBUTE -> request.attributes().get(name);
        };
    }

    private static @Nullable String first(@Nullable List<String> lines) {
        return lines == null || lines.isEmpty() ? null : lines.get(0);
    }
}
