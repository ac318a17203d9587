package io.ratelimit.server.rules;

import io.ratelimit.server.audit.AuditLog;
import io.ratelimit.server.database.Database;
import java.time.Clock;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/**
 * The rule sets of all services. Each method throws
 * {@link io.ratelimit.server.database.DatabaseUnavailableException} while the database is away. Thread-safe; several
 * processes may share one database.
 */
public final class RuleSets {

    private static final String METADATA = "v.service, v.version, v.published_at, v.author, v.comment, v.rule_count,"
            + " v.content_hash, v.restored_from";

    private static final String IN_FORCE = " from service s join rules_version v on v.service = s.name and"
            + " v.version = s.version where not s.retired";

    private static final RowMapper<RulesVersion> VERSION = (row, context) -> new RulesVersion(
            new ServiceName(row.getString("service")),
            row.getLong("version"),
            row.getObject("published_at", OffsetDateTime.class).toInstant(),
            row.getString("author"),
            row.getString("comment"),
            row.getInt("rule_count"),
            row.getString("content_hash"),
            row.getObject("restored_from", Long.class));

    private static final RowMapper<PublishedRules> PUBLISHED =
            (row, context) -> new PublishedRules(VERSION.map(row, context), row.getString("content"));

    private final Database database;
    private final AuditLog audit;
    private final Clock clock;

    /**
     * Makes the rule sets of a database.
     *
     * @param database where they are
     * @param audit is told of each publication, in the same transaction
     * @param clock tells when rules are published
     */
    public RuleSets(Database database, AuditLog audit, Clock clock) {
        this.database = database;
        this.audit = audit;
        this.clock = clock;
    }

    /** Does nothing where the database answers. */
    public void ping() {
        database.ask(
                handle -> handle.createQuery("select 1").mapTo(Integer.class).one());
    }

    /**
     * What is in force for each service.
     *
     * @return the versions, by the services' names
     */
    public List<RulesVersion> services() {
        return database.ask(handle -> handle.createQuery("select " + METADATA + IN_FORCE + " order by v.service")
                .map(VERSION)
                .list());
    }

    /**
     * Which of some services have no rules: their names may be misspelt.
     *
     * @param services the services
     * @return those for which nothing is in force, by name
     */
    public List<ServiceName> withoutRules(Set<ServiceName> services) {
        Set<ServiceName> known = services().stream().map(RulesVersion::service).collect(Collectors.toSet());
        return services.stream()
                .filter(service -> !known.contains(service))
                .sorted()
                .toList();
    }

    /**
     * What is in force for a service.
     *
     * @param service the service
     * @return the version, empty where there is none
     */
    public Optional<RulesVersion> currentVersion(ServiceName service) {
        return database.ask(handle -> currentVersion(handle, service));
    }

    private static Optional<RulesVersion> currentVersion(Handle handle, ServiceName service) {
        return handle.createQuery("select " + METADATA + IN_FORCE + " and s.name = :service")
                .bind("service", service.text())
                .map(VERSION)
                .findOne();
    }

    /**
     * The rules in force for a service.
     *
     * @param service the service
     * @return the rules, empty where there are none
     */
    public Optional<PublishedRules> current(ServiceName service) {
        return database.ask(
                handle -> handle.createQuery("select " + METADATA + ", v.content" + IN_FORCE + " and s.name = :service")
                        .bind("service", service.text())
                        .map(PUBLISHED)
                        .findOne());
    }

    /**
     * One version of a service, in force or not.
     *
     * @param service the service
     * @param number the version's number
     * @return the rules, empty where there is no such version
     */
    public Optional<PublishedRules> version(ServiceName service, long number) {
        return database.ask(handle -> handle.createQuery("select " + METADATA
                        + ", v.content from rules_version v where v.service = :service and v.version = :number")
                .bind("service", service.text())
                .bind("number", number)
                .map(PUBLISHED)
                .findOne());
    }

    /**
     * The versions of a service, newest first.
     *
     * @param service the service
     * @param before only versions with a smaller number
     * @param most how many at most
     * @return the versions
     */
    public List<RulesVersion> history(ServiceName service, long before, int most) {
        return database.ask(handle -> handle.createQuery("select " + METADATA
                        + " from rules_version v where v.service = :service and v.version < :before"
                        + " order by v.version desc limit :most")
                .bind("service", service.text())
                .bind("before", before)
                .bind("most", most)
                .map(VERSION)
                .list());
    }

    /**
     * Publishes rules: they are stored as a new version, which is in force from then on. If what is in force is, byte for
     * byte, what is to be published, nothing happens, so that a publication may be repeated whose answer was lost.
     *
     * @param draft the rules
     * @param expectation what the author believes to be in force
     * @param author the name of who publishes
     * @return the version in force
     * @throws LostUpdateException if something else is in force; nothing was stored
     */
    public RulesVersion publish(Draft draft, Expectation expectation, String author) throws LostUpdateException {
        Outcome outcome;
        try {
            outcome = database.inTransaction(handle -> publish(handle, draft, expectation, author));
        } catch (JdbiException e) {
            if (!Database.isDuplicateKey(e)) {
                throw e;
            }
            // Two have published the first version of a service at once.
            throw new LostUpdateException(currentVersion(draft.service()).orElse(null));
        }
        if (!outcome.stored()) {
            throw new LostUpdateException(outcome.version());
        }
        return outcome.inForce();
    }

    private Outcome publish(Handle handle, Draft draft, Expectation expectation, String author) {
        Optional<Row> row = lock(handle, draft.service());
        RulesVersion current =
                row.isEmpty() ? null : currentVersion(handle, draft.service()).orElse(null);
        if (current != null && current.hash().equals(draft.hash())) {
            return new Outcome(current, true);
        }
        if (!holds(expectation, current)) {
            return new Outcome(current, false);
        }
        RulesVersion next = next(draft, row, author);
        if (row.isEmpty()) {
            insertService(handle, next);
        } else {
            updateService(handle, next);
        }
        insertVersion(handle, next, draft.text());
        audit.write(
                handle,
                author,
                next.restoredFrom() == null ? "publish" : "restore",
                next.service().text(),
                "version " + next.number() + (next.comment().isEmpty() ? "" : ": " + next.comment()));
        return new Outcome(next, true);
    }

    /**
     * Takes a service out: hosts are told that there are no rules, and go on with the last that they have. The history
     * stays, and the next publication counts on.
     *
     * @param service the service
     * @param expectation what the caller believes to be in force
     * @param actor the name of who takes it out
     * @throws LostUpdateException if something else is in force, or nothing; nothing was changed
     */
    public void retire(ServiceName service, Expectation expectation, String actor) throws LostUpdateException {
        Outcome outcome = database.inTransaction(handle -> {
            RulesVersion current = lock(handle, service).isEmpty()
                    ? null
                    : currentVersion(handle, service).orElse(null);
            if (current == null || !holds(expectation, current)) {
                return new Outcome(current, false);
            }
            handle.createUpdate("update service set retired = true where name = :service")
                    .bind("service", service.text())
                    .execute();
            audit.write(handle, actor, "retire", service.text(), "version " + current.number());
            return new Outcome(current, true);
        });
        if (!outcome.stored()) {
            throw new LostUpdateException(outcome.version());
        }
    }

    /** Hosts take the time for the version: it grows even where the clock was set back. */
    private RulesVersion next(Draft draft, Optional<Row> before, String author) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
        Instant least = before.map(row -> row.published().plusMillis(1)).orElse(now);
        return new RulesVersion(
                draft.service(),
                before.map(Row::version).orElse(0L) + 1,
                now.isBefore(least) ? least : now,
                author,
                draft.comment(),
                draft.ruleCount(),
                draft.hash(),
                draft.restoredFrom());
    }

    /**
     * Goes on only if what an author believes to be in force is.
     *
     * @param expectation what the author believes
     * @param current what is in force
     * @throws LostUpdateException if something else is
     */
    public void require(Expectation expectation, RulesVersion current) throws LostUpdateException {
        if (!holds(expectation, current)) {
            throw new LostUpdateException(current);
        }
    }

    private static boolean holds(Expectation expectation, @Nullable RulesVersion current) {
        if (expectation instanceof Expectation.Tag expected) {
            return current != null && current.tag().equals(expected.tag());
        }
        return expectation instanceof Expectation.Anything || current == null;
    }

    /** Nobody else publishes for the service until this transaction ends. */
    private static Optional<Row> lock(Handle handle, ServiceName service) {
        return handle.createQuery("select version, published_at from service where name = :service for update")
                .bind("service", service.text())
                .map((row, context) -> new Row(
                        row.getLong("version"),
                        row.getObject("published_at", OffsetDateTime.class).toInstant()))
                .findOne();
    }

    private static void insertService(Handle handle, RulesVersion next) {
        handle.createUpdate("insert into service (name, version, published_at, retired)"
                        + " values (:service, :number, :published, false)")
                .bind("service", next.service().text())
                .bind("number", next.number())
                .bind("published", utc(next.published()))
                .execute();
    }

    private static void updateService(Handle handle, RulesVersion next) {
        handle.createUpdate("update service set version = :number, published_at = :published, retired = false"
                        + " where name = :service")
                .bind("service", next.service().text())
                .bind("number", next.number())
                .bind("published", utc(next.published()))
                .execute();
    }

    private static void insertVersion(Handle handle, RulesVersion next, String text) {
        handle.createUpdate("insert into rules_version (service, version, content, content_hash, rule_count, author,"
                        + " comment, published_at, restored_from) values (:service, :number, :content, :hash, :count,"
                        + " :author, :comment, :published, :restoredFrom)")
                .bind("service", next.service().text())
                .bind("number", next.number())
                .bind("content", text)
                .bind("hash", next.hash())
                .bind("count", next.ruleCount())
                .bind("author", next.author())
                .bind("comment", next.comment())
                .bind("published", utc(next.published()))
                .bind("restoredFrom", next.restoredFrom())
                .execute();
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    /** What the service's row says while it is locked. */
    private record Row(long version, Instant published) {}

    /** Whether what was asked for holds now, and what is in force. */
    private record Outcome(@Nullable RulesVersion version, boolean stored) {

        RulesVersion inForce() {
            return Objects.requireNonNull(version, "a version is in force");
        }
    }
}
