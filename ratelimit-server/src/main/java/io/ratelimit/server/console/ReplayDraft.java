package io.ratelimit.server.console;

import jakarta.ws.rs.core.MultivaluedMap;

/**
 * A draft on its way from the form for reviewing it, and back.
 *
 * @param rules the document
 * @param tag what its author believes to be in force
 * @param comment why it is to be published
 */
record ReplayDraft(String rules, String tag, String comment) {

    static ReplayDraft of(MultivaluedMap<String, String> fields) {
        return new ReplayDraft(field(fields, "rules"), field(fields, "tag"), field(fields, "comment"));
    }

    private static String field(MultivaluedMap<String, String> fields, String name) {
        String value = fields.getFirst(name);
        return value == null ? "" : value;
    }
}
