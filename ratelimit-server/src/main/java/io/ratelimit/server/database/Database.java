package io.ratelimit.server.database;

import com.google.common.base.Throwables;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.io.IOException;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.Properties;
import java.util.Set;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.ConnectionException;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.JdbiException;
import org.jspecify.annotations.Nullable;

/** The service's database, with its tables. Thread-safe. */
public final class Database implements AutoCloseable {

    /** Whoever asks is told that the database is away rather than kept waiting: hosts ask again, people see it. */
    private static final long CONNECTION_TIMEOUT_MILLIS = 2_000;

    private static final int CONNECTIONS = 10;

    /** Connection exceptions, and the states of PostgreSQL that shuts down or starts. */
    private static final Set<String> GONE = Set.of("57P01", "57P02", "57P03");

    private static final String CONNECTION_CLASS = "08";

    /** What H2 answers once its file was closed under it. */
    private static final Set<String> CLOSED_H2 = Set.of("90098", "90121", "90067");

    /** Of H2 any general failure; one to write its file has an I/O failure for its cause. */
    private static final String GENERAL = "HY000";

    private static final String UNIQUE_VIOLATION = "23505";

    private final HikariDataSource connections;
    private final Jdbi jdbi;

    private Database(HikariDataSource connections) {
        this.connections = connections;
        this.jdbi = Jdbi.create(connections);
    }

    /**
     * Connects and brings the tables up to date.
     *
     * @param settings where the database is
     * @return the database
     * @throws DatabaseStartException if it cannot be used; the message says why and what to do
     */
    public static Database open(DatabaseSettings settings) {
        HikariConfig pool = pool(settings);
        HikariDataSource connections;
        try {
            tryOut(pool);
            connections = new HikariDataSource(pool);
        } catch (SQLException | RuntimeException e) {
            throw new DatabaseStartException(settings, e);
        }
        try {
            Flyway.configure().dataSource(connections).load().migrate();
            return new Database(connections);
        } catch (FlywayException e) {
            connections.close();
            throw new DatabaseStartException(settings, e);
        }
    }

    /** Before there is a pool, which would log what its first connection fails with, stack and all. */
    private static void tryOut(HikariConfig pool) throws SQLException {
        Properties properties = new Properties();
        properties.putAll(pool.getDataSourceProperties());
        if (pool.getUsername() != null) {
            properties.setProperty("user", pool.getUsername());
        }
        if (pool.getPassword() != null) {
            properties.setProperty("password", pool.getPassword());
        }
        DriverManager.getConnection(pool.getJdbcUrl(), properties).close();
    }

    private static HikariConfig pool(DatabaseSettings settings) {
        HikariConfig pool = new HikariConfig();
        pool.setPoolName("rules-database");
        pool.setJdbcUrl(settings.connectionUrl());
        pool.setUsername(settings.user());
        pool.setPassword(settings.password());
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
        pool.setValidationTimeout(CONNECTION_TIMEOUT_MILLIS / 2);
        if (!settings.isH2()) {
            // A server that is frozen or cut off must not hold the threads that ask it.
            pool.addDataSourceProperty("connectTimeout", "2");
            pool.addDataSourceProperty("socketTimeout", "10");
            pool.addDataSourceProperty("tcpKeepAlive", "true");
        }
        pool.setExceptionOverride(new ClosedConnections());
        return pool;
    }

    /**
     * Something that is done with a connection.
     *
     * @param <T> what it results in
     */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {

        /**
         * Does it.
         *
         * @param handle the connection
         * @return the result
         */
        T with(Handle handle);
    }

    /**
     * Does work in one transaction, all of it or none.
     *
     * @param work the work
     * @param <T> what it results in
     * @return what it results in, once it is stored
     * @throws DatabaseUnavailableException if the database cannot be reached; it may then be unknown whether the work
     *     is stored
     */
    public <T extends @Nullable Object> T inTransaction(Work<T> work) {
        try {
            return jdbi.inTransaction(work::with);
        } catch (JdbiException e) {
            throw told(e);
        }
    }

    /**
     * Asks something.
     *
     * @param work the question
     * @param <T> the answer
     * @return the answer
     * @throws DatabaseUnavailableException if the database cannot be reached
     */
    public <T extends @Nullable Object> T ask(Work<T> work) {
        try {
            return jdbi.withHandle(work::with);
        } catch (JdbiException e) {
            throw told(e);
        }
    }

    /**
     * Whether a failure is that of a key that is there already.
     *
     * @param failure what a statement failed with
     * @return true if another row has the key
     */
    public static boolean isDuplicateKey(JdbiException failure) {
        SQLException cause = sqlCause(failure);
        return cause != null && UNIQUE_VIOLATION.equals(cause.getSQLState());
    }

    private static RuntimeException told(JdbiException failure) {
        if (failure instanceof ConnectionException) {
            return new DatabaseUnavailableException(failure);
        }
        SQLException cause = sqlCause(failure);
        return cause != null && isAway(cause) ? new DatabaseUnavailableException(failure) : failure;
    }

    private static boolean isAway(SQLException cause) {
        String state = cause.getSQLState() == null ? "" : cause.getSQLState();
        return cause instanceof SQLTransientConnectionException
                || cause instanceof SQLRecoverableException
                || state.startsWith(CONNECTION_CLASS)
                || GONE.contains(state)
                || CLOSED_H2.contains(state)
                || (state.equals(GENERAL) && hasIoFailure(cause));
    }

    private static boolean hasIoFailure(SQLException failure) {
        return Throwables.getCausalChain(failure).stream().anyMatch(IOException.class::isInstance);
    }

    /** The pool knows those of other databases only, and would keep connections to a file that H2 has closed. */
    private static final class ClosedConnections implements SQLExceptionOverride {

        @java.lang.Override
        public SQLExceptionOverride.Override adjudicate(SQLException failure) {
            return isAway(failure)
                    ? SQLExceptionOverride.Override.MUST_EVICT
                    : SQLExceptionOverride.Override.CONTINUE_EVICT;
        }
    }

    private static @Nullable SQLException sqlCause(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return sql;
            }
        }
        return null;
    }

    @Override
    public void close() {
        connections.close();
    }
}
