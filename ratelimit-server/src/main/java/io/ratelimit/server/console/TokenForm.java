package io.ratelimit.server.console;

import com.google.common.base.Splitter;
import io.ratelimit.server.access.Grant;
import io.ratelimit.server.access.Role;
import jakarta.ws.rs.core.MultivaluedMap;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A token as somebody wants it in the fields of a form.
 *
 * @param name who is to bear it
 * @param role the role's word
 * @param services names with commas between, or {@code *}
 * @param lastDay the last day on which it is valid, or empty
 */
record TokenForm(String name, String role, String services, String lastDay) {

    static final TokenForm EMPTY = new TokenForm("", Role.VIEWER.word(), "", "");

    private static final Splitter NAMES = Splitter.on(',').trimResults().omitEmptyStrings();

    static TokenForm of(MultivaluedMap<String, String> fields) {
        return new TokenForm(
                field(fields, "name"), field(fields, "role"), field(fields, "services"), field(fields, "lastDay"));
    }

    private static String field(MultivaluedMap<String, String> fields, String name) {
        String value = fields.getFirst(name);
        return value == null ? "" : value.strip();
    }

    /**
     * What the token would allow.
     *
     * @throws IllegalArgumentException if there is no such role or service; the message says what would be right
     */
    Grant grant() {
        Role wanted = Role.of(role);
        List<String> names = NAMES.splitToList(services);
        return Grant.of(wanted, names);
    }

    /**
     * When the token would end: with its last day in UTC.
     *
     * @throws IllegalArgumentException if the day is none
     */
    @Nullable
    Instant expires() {
        if (lastDay.isEmpty()) {
            return null;
        }
        try {
            return LocalDate.parse(lastDay)
                    .plusDays(1)
                    .atStartOfDay(ZoneOffset.UTC)
                    .toInstant();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("the last day must be a date such as 2027-01-31", e);
        }
    }
}
