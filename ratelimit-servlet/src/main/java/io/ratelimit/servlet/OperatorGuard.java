package io.ratelimit.servlet;

import io.ratelimit.core.SettingNames;
import io.ratelimit.core.client.KnownAddresses;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Knows operators: by a role, by the addresses they come from, or by both. Knows nobody until it is told.
 *
 * @param role the role that an operator has, or null where any will do
 * @param addresses where operators come from, or null where any will do
 */
record OperatorGuard(@Nullable String role, @Nullable KnownAddresses addresses) {

    private static final String ROLE = "role";
    private static final String ADDRESSES = "addresses";

    /** Who comes through a proxy has its address, so that addresses tell nothing of who that is. */
    private static final List<String> TRACES_OF_PROXIES = List.of("X-Forwarded-For", "Forwarded", "X-Real-IP", "Via");

    /**
     * Reads init-params.
     *
     * @throws IllegalArgumentException if one is unknown or has no valid value; the message says what would be right
     */
    static OperatorGuard parse(Map<String, String> params) {
        new SettingNames(Set.of(ROLE, ADDRESSES)).check(params.keySet());
        String role = params.get(ROLE);
        if (role != null && role.isBlank()) {
            throw new IllegalArgumentException("setting role is empty: name the role that operators have");
        }
        return new OperatorGuard(role == null ? null : role.strip(), addresses(params.get(ADDRESSES)));
    }

    private static @Nullable KnownAddresses addresses(@Nullable String text) {
        try {
            return text == null ? null : KnownAddresses.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("setting addresses is '" + text + "': " + e.getMessage(), e);
        }
    }

    boolean knowsNobody() {
        return role == null && addresses == null;
    }

    boolean admits(HttpServletRequest request) {
        return !knowsNobody()
                && (role == null || request.isUserInRole(role))
                && (addresses == null || comesFrom(addresses, request));
    }

    /** Asks the container's own request: filters hide what proxies wrote, and take addresses from it. */
    private static boolean comesFrom(KnownAddresses known, HttpServletRequest request) {
        return Wrapped.innermost(request) instanceof HttpServletRequest received
                && TRACES_OF_PROXIES.stream().allMatch(name -> received.getHeader(name) == null)
                && known.include(received.getRemoteAddr());
    }
}
