package io.ratelimit.server.access;

import io.ratelimit.server.database.Database;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Optional;

/**
 * The sessions of browsers, kept in the database, so that they outlive a restart and end with their token. Each method
 * throws {@link io.ratelimit.server.database.DatabaseUnavailableException} while the database is away. Thread-safe.
 */
public final class Sessions {

    /** A working day. */
    public static final Duration LENGTH = Duration.ofHours(10);

    private static final int LONGEST_SECRET = 100;

    private final Database database;
    private final Tokens tokens;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * Makes the sessions of a database.
     *
     * @param database where they are
     * @param tokens the tokens that sessions are opened with
     * @param clock tells when sessions end
     */
    public Sessions(Database database, Tokens tokens, Clock clock) {
        this.database = database;
        this.tokens = tokens;
        this.clock = clock;
    }

    /**
     * Opens a session.
     *
     * @param token a valid token
     * @return the session
     */
    public NewSession open(AccessToken token) {
        Secret secret = Secret.random("", random);
        Instant expires = clock.instant().plus(LENGTH);
        Session session = new Session(token, Secret.random("", random).text(), expires);
        database.inTransaction(handle -> {
            handle.createUpdate("delete from console_session where expires_at < :now")
                    .bind("now", OffsetDateTime.now(clock))
                    .execute();
            return handle.createUpdate("insert into console_session (id_hash, token_id, csrf_token, expires_at)"
                            + " values (:hash, :token, :csrf, :expires)")
                    .bind("hash", secret.hash())
                    .bind("token", token.id())
                    .bind("csrf", session.csrfToken())
                    .bind("expires", expires.atOffset(ZoneOffset.UTC))
                    .execute();
        });
        return new NewSession(session, secret.text());
    }

    /**
     * Finds the session of a browser.
     *
     * @param secret the cookie's value
     * @return the session; empty where it is none or over, or its token is
     */
    public Optional<Session> find(String secret) {
        if (secret.length() > LONGEST_SECRET) {
            return Optional.empty();
        }
        record Row(long token, String csrf, Instant expires) {}
        String hash = new Secret(secret).hash();
        Instant now = clock.instant();
        return database.ask(handle -> handle.createQuery(
                                "select token_id, csrf_token, expires_at from console_session where id_hash = :hash")
                        .bind("hash", hash)
                        .map((row, context) -> new Row(
                                row.getLong("token_id"),
                                row.getString("csrf_token"),
                                row.getObject("expires_at", OffsetDateTime.class)
                                        .toInstant()))
                        .findOne())
                .filter(row -> now.isBefore(row.expires()))
                .flatMap(row -> tokens.byId(row.token()).map(token -> new Session(token, row.csrf(), row.expires())));
    }

    /**
     * Ends a session.
     *
     * @param secret the cookie's value
     */
    public void close(String secret) {
        String hash = new Secret(secret).hash();
        database.inTransaction(handle -> handle.createUpdate("delete from console_session where id_hash = :hash")
                .bind("hash", hash)
                .execute());
    }
}
