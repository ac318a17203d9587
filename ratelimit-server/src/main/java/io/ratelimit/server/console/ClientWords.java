package io.ratelimit.server.console;

import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import java.util.List;
import java.util.stream.Collectors;

/** Says in plain words who shares a bucket. Immutable and thread-safe. */
final class ClientWords {

    /** Such as {@code each combination of user and IP address}. */
    String of(Key key) {
        if (key instanceof Key.Service) {
            return "everybody together";
        }
        if (key instanceof Key.Composite composite) {
            List<Identity> parts = composite.parts();
            return parts.size() == 1
                    ? "each " + identity(parts.get(0))
                    : "each combination of "
                            + parts.stream().map(this::identity).collect(Collectors.joining(" and "));
        }
        if (key instanceof Key.FirstPresent first) {
            return inOrder(first.alternatives());
        }
        return "each client";
    }

    /** Such as {@code each user, or else each IP address}. */
    String inOrder(List<Identity> identities) {
        return identities.stream()
                .map(identity -> "each " + identity(identity))
                .collect(Collectors.joining(", or else "));
    }

    private String identity(Identity identity) {
        return switch (identity.kind()) {
            case USER -> "user";
            case IP -> "IP address";
            case BEARER -> "bearer token";
            case HEADER -> "value of the header " + identity.name();
            case COOKIE -> "value of the cookie " + identity.name();
            case ATTRIBUTE -> "value of the attribute " + identity.name();
        };
    }
}
