package io.ratelimit.server.web;

import io.ratelimit.server.database.DatabaseSettings;
import org.jspecify.annotations.Nullable;

/**
 * What the service is started with.
 *
 * @param host the address to listen on
 * @param port the port, 0 for any that is free
 * @param database where the database is
 * @param tls the certificate, or null for plain HTTP
 */
public record ServerSettings(
        String host,
        int port,
        DatabaseSettings database,
        @Nullable TlsSettings tls) {}
