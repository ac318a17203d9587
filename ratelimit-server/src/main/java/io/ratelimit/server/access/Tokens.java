package io.ratelimit.server.access;

import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.database.Database;
import io.ratelimit.server.rules.ServiceName;
import java.security.SecureRandom;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that were given out. Each method throws
 * {@link io.ratelimit.server.database.DatabaseUnavailableException} while the database is away. Thread-safe.
 */
public final class Tokens {

    /** So that whoever finds one in a log or a repository sees what it is. */
    static final String PREFIX = "rlt_";

    private static final Pattern CHOSEN = Pattern.compile(PREFIX + "[A-Za-z0-9_-]{40,150}");
    private static final int LONGEST_SECRET = 200;

    /** Not every database knows later times. */
    private static final Instant LATEST_END = Instant.parse("9999-12-31T23:59:59Z");

    private final Database database;
    private final AuditLog audit;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();

    /**
     * Makes the tokens of a database.
     *
     * @param database where they are
     * @param audit is told of tokens given out and revoked
     * @param clock tells when tokens end
     */
    public Tokens(Database database, AuditLog audit, Clock clock) {
        this.database = database;
        this.audit = audit;
        this.clock = clock;
    }

    /**
     * Finds the token of a bearer.
     *
     * @param secret what was sent
     * @return the token; empty where it is none, revoked or over
     */
    public Optional<AccessToken> find(String secret) {
        if (secret.length() > LONGEST_SECRET) {
            return Optional.empty();
        }
        String hash = new Secret(secret).hash();
        return database.ask(handle -> select(handle, "t.secret_hash = :hash", Map.of("hash", hash)).stream())
                .filter(token -> token.isValid(clock.instant()))
                .findFirst();
    }

    /** Finds a valid token by its number. */
    Optional<AccessToken> byId(long id) {
        return database.ask(handle -> select(handle, "t.id = :id", Map.of("id", id)).stream())
                .filter(token -> token.isValid(clock.instant()))
                .findFirst();
    }

    /**
     * The numbers of all tokens that may be used now.
     *
     * @return the numbers of those that are neither revoked nor over
     */
    public Set<Long> valid() {
        return database.ask(handle -> handle.createQuery("select id from access_token where revoked_at is null"
                        + " and (expires_at is null or expires_at > :now)")
                .bind("now", utc(clock.instant()))
                .mapTo(Long.class)
                .set());
    }

    /**
     * All tokens, revoked ones too, newest first.
     *
     * @return the tokens
     */
    public List<AccessToken> list() {
        return database.ask(handle -> select(handle, "1 = 1", Map.of()));
    }

    /**
     * Gives out the first token, an admin's, unless there is or was any.
     *
     * @param chosen the secret that whoever deploys the service has chosen, or null for one that is made here
     * @return the token; empty where there are tokens
     * @throws IllegalArgumentException if the chosen secret is none
     */
    public Optional<NewToken> bootstrap(@Nullable String chosen) {
        if (chosen != null && !CHOSEN.matcher(chosen).matches()) {
            throw new IllegalArgumentException("the first admin's token must be " + PREFIX
                    + " and at least 40 random letters, digits, '-' and '_'");
        }
        Secret secret = chosen == null ? Secret.random(PREFIX, random) : new Secret(chosen);
        try {
            return bootstrap(secret);
        } catch (JdbiException e) {
            if (Database.isDuplicateKey(e)) {
                // Another process, which was given the same secret, was quicker.
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<NewToken> bootstrap(Secret secret) {
        return database.inTransaction(handle -> {
            long tokens = handle.createQuery("select count(*) from access_token")
                    .mapTo(Long.class)
                    .one();
            return tokens > 0
                    ? Optional.empty()
                    : Optional.of(
                            create(handle, secret, "bootstrap", Grant.ofAll(Role.ADMIN), null, "the first start"));
        });
    }

    /**
     * Gives out a token.
     *
     * @param name who bears it
     * @param grant what it allows
     * @param expires when it ends, or null for never
     * @param actor the name of who gives it out
     * @return the token with its secret
     * @throws IllegalArgumentException if the name is none, or the end is past or not before the year 10000
     */
    public NewToken create(String name, Grant grant, @Nullable Instant expires, String actor) {
        AccessToken.checkName(name);
        if (expires != null && !expires.isAfter(clock.instant())) {
            throw new IllegalArgumentException("the token would have ended already: it must end later than now");
        }
        if (expires != null && expires.isAfter(LATEST_END)) {
            throw new IllegalArgumentException(
                    "the token would end after " + LATEST_END + ": leave its end out where it is to have none");
        }
        Secret secret = Secret.random(PREFIX, random);
        return database.inTransaction(handle -> create(handle, secret, name, grant, expires, actor));
    }

    private NewToken create(
            Handle handle, Secret secret, String name, Grant grant, @Nullable Instant expires, String actor) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        long id = handle.createUpdate("insert into access_token (name, role, secret_hash, all_services, created_at,"
                        + " created_by, expires_at) values (:name, :role, :hash, :all, :now, :actor, :expires)")
                .bind("name", name)
                .bind("role", grant.role().word())
                .bind("hash", secret.hash())
                .bind("all", grant.allServices())
                .bind("now", utc(now))
                .bind("actor", actor)
                .bind("expires", expires == null ? null : utc(expires))
                .executeAndReturnGeneratedKeys("id")
                .mapTo(Long.class)
                .one();
        for (ServiceName service : grant.services()) {
            handle.createUpdate("insert into access_token_service (token_id, service) values (:id, :service)")
                    .bind("id", id)
                    .bind("service", service.text())
                    .execute();
        }
        audit.write(
                handle, actor, "create-token", null, "token " + id + " for " + name + ": " + allowed(grant, expires));
        return new NewToken(new AccessToken(id, name, grant, now, actor, expires, null), secret.text());
    }

    private static String allowed(Grant grant, @Nullable Instant expires) {
        String services = grant.allServices() ? "all services" : String.join(", ", grant.serviceNames());
        return grant.role().word() + " of " + services + (expires == null ? "" : ", until " + expires);
    }

    /**
     * Ends a token and the sessions that were opened with it.
     *
     * @param id the token's number
     * @param actor the name of who revokes it
     * @return false where there is none, or it was revoked before
     * @throws IllegalStateException if it is the last admin's that is valid: nobody could give out another
     */
    public boolean revoke(long id, String actor) {
        return database.inTransaction(handle -> {
            // Two admins who revoke each other at once must not both find the other there.
            handle.createQuery("select id from access_token where role = 'admin' order by id for update")
                    .mapTo(Long.class)
                    .list();
            List<AccessToken> valid = select(handle, "t.revoked_at is null", Map.of());
            Optional<AccessToken> revoked =
                    valid.stream().filter(token -> token.id() == id).findFirst();
            if (revoked.isEmpty()) {
                return false;
            }
            requireAnotherAdmin(valid, id);
            handle.createUpdate("update access_token set revoked_at = :now, revoked_by = :actor where id = :id")
                    .bind("now", OffsetDateTime.now(clock))
                    .bind("actor", actor)
                    .bind("id", id)
                    .execute();
            handle.createUpdate("delete from console_session where token_id = :id")
                    .bind("id", id)
                    .execute();
            audit.write(
                    handle,
                    actor,
                    "revoke-token",
                    null,
                    "token " + id + " of " + revoked.get().name());
            return true;
        });
    }

    private void requireAnotherAdmin(List<AccessToken> tokens, long id) {
        boolean another = tokens.stream()
                .anyMatch(token -> token.id() != id
                        && token.grant().role() == Role.ADMIN
                        && token.isValid(clock.instant())
                        && token.expires() == null);
        boolean isAdmin = tokens.stream()
                .anyMatch(token -> token.id() == id && token.grant().role() == Role.ADMIN);
        if (isAdmin && !another) {
            throw new IllegalStateException("this is the last admin's token that does not end: give out another first,"
                    + " or nobody can give out any");
        }
    }

    /** A row for each service that a token names, and one for a token that names none. */
    private static List<AccessToken> select(Handle handle, String condition, Map<String, ?> values) {
        Map<Long, Set<ServiceName>> services = new HashMap<>();
        Map<Long, TokenRow> rows = new LinkedHashMap<>();
        handle.createQuery("select t.*, s.service from access_token t left join access_token_service s on s.token_id ="
                        + " t.id where " + condition + " order by t.id desc")
                .bindMap(values)
                .map((row, context) -> TokenRow.of(row))
                .forEach(row -> {
                    rows.putIfAbsent(row.id(), row);
                    if (row.service() != null) {
                        services.computeIfAbsent(row.id(), id -> new HashSet<>())
                                .add(new ServiceName(row.service()));
                    }
                });
        return rows.values().stream()
                .map(row -> row.token(services.getOrDefault(row.id(), Set.of())))
                .toList();
    }

    private record TokenRow(
            long id,
            String name,
            String role,
            boolean allServices,
            @Nullable String service,
            Instant created,
            String createdBy,
            @Nullable Instant expires,
            @Nullable Instant revoked) {

        static TokenRow of(ResultSet row) throws SQLException {
            return new TokenRow(
                    row.getLong("id"),
                    row.getString("name"),
                    row.getString("role"),
                    row.getBoolean("all_services"),
                    row.getString("service"),
                    row.getObject("created_at", OffsetDateTime.class).toInstant(),
                    row.getString("created_by"),
                    instant(row, "expires_at"),
                    instant(row, "revoked_at"));
        }

        AccessToken token(Set<ServiceName> services) {
            Grant grant = new Grant(Role.of(role), allServices, services);
            return new AccessToken(id, name, grant, created, createdBy, expires, revoked);
        }
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }
}
