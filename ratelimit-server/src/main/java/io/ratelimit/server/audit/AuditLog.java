package io.ratelimit.server.audit;

import io.ratelimit.server.database.Database;
import java.time.Clock;
import java.time.OffsetDateTime;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.mapper.RowMapper;
import org.jspecify.annotations.Nullable;

/** The list of who did what. Thread-safe. */
public final class AuditLog {

    private static final int LONGEST_DETAIL = 2_000;

    private static final RowMapper<AuditEntry> ENTRY = (row, context) -> new AuditEntry(
            row.getLong("id"),
            row.getObject("at", OffsetDateTime.class).toInstant(),
            row.getString("actor"),
            row.getString("action"),
            row.getString("service"),
            row.getString("detail"));

    private final Database database;
    private final Clock clock;

    /**
     * Makes the log of a database.
     *
     * @param database where it is
     * @param clock tells when something is done
     */
    public AuditLog(Database database, Clock clock) {
        this.database = database;
        this.clock = clock;
    }

    /**
     * Writes an entry.
     *
     * @param handle the transaction of what is done: both are stored, or neither
     * @param actor who does it
     * @param action what
     * @param service to which service, or null
     * @param detail in words; cut to what an entry holds
     */
    public void write(Handle handle, String actor, String action, @Nullable String service, String detail) {
        handle.createUpdate("insert into audit_entry (at, actor, action, service, detail)"
                        + " values (:at, :actor, :action, :service, :detail)")
                .bind("at", OffsetDateTime.now(clock))
                .bind("actor", actor)
                .bind("action", action)
                .bind("service", service)
                .bind("detail", detail.substring(0, Math.min(detail.length(), LONGEST_DETAIL)))
                .execute();
    }

    /**
     * What was done, newest first.
     *
     * @param service to one service, or null for all
     * @param before only entries with a smaller id
     * @param most how many at most
     * @return the entries
     */
    public List<AuditEntry> entries(@Nullable String service, long before, int most) {
        if (service != null && service.indexOf('\0') >= 0) {
            // No text of PostgreSQL holds one, not even one that is looked for.
            return List.of();
        }
        String where = service == null ? "" : " and service = :service";
        return database.ask(handle -> {
            var query = handle.createQuery(
                            "select * from audit_entry where id < :before" + where + " order by id desc limit :most")
                    .bind("before", before)
                    .bind("most", most);
            if (service != null) {
                query.bind("service", service);
            }
            return query.map(ENTRY).list();
        });
    }
}
