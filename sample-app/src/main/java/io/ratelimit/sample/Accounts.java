package io.ratelimit.sample;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The sample's three accounts; each password is the name. */
final class Accounts {

    private static final String SCHEME = "basic ";

    private final Map<String, Account> byName = Map.of(
            "alice", new Account("alice", "free"),
            "bob", new Account("bob", "free"),
            "carol", new Account("carol", "gold"));

    /** Whether an {@code Authorization} field is for this kind of authentication. */
    static boolean isBasic(String authorization) {
        return authorization.toLowerCase(Locale.ROOT).startsWith(SCHEME);
    }

    /**
     * Finds the account of Basic credentials (RFC 7617).
     *
     * @param authorization the field, of which {@link #isBasic(String)} holds
     * @return the account, or nothing where the credentials are malformed or wrong
     */
    Optional<Account> authenticate(String authorization) {
        return decoded(authorization.substring(SCHEME.length()).strip()).flatMap(this::account);
    }

    private Optional<Account> account(String credentials) {
        int colon = credentials.indexOf(':');
        if (colon < 0) {
            return Optional.empty();
        }
        String password = credentials.substring(colon + 1);
        return Optional.ofNullable(byName.get(credentials.substring(0, colon)))
                .filter(account -> MessageDigest.isEqual(account.name().getBytes(UTF_8), password.getBytes(UTF_8)));
    }

    private static Optional<String> decoded(String token) {
        try {
            return Optional.of(new String(Base64.getDecoder().decode(token), UTF_8));
        } catch (IllegalArgumentException notBase64) {
            return Optional.empty();
        }
    }
}
