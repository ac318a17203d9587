package io.ratelimit.server.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that somebody did.
 *
 * @param id counts the entries
 * @param at when
 * @param actor the name of who did it
 * @param action what, from a small fixed set, such as {@code publish}
 * @param service to which service, or null where it concerns none alone
 * @param detail in words; no secret
 */
public record AuditEntry(
        long id,
        Instant at,
        String actor,
        String action,
        @Nullable String service,
        String detail) {}
