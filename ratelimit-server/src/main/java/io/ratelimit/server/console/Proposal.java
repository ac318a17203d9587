package io.ratelimit.server.console;

import com.google.common.primitives.Longs;
import io.ratelimit.server.rules.Expectation;
import io.ratelimit.server.rules.RulesVersion;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What somebody is about to publish, as forms carry it from page to page.
 *
 * @param text the document
 * @param tag the tag of the version that it was made from; empty for the first rules of a service
 * @param restoredFrom the number of the version whose text this is, or null
 * @param comment why it is to be published, as far as that was typed
 */
record Proposal(String text, String tag, @Nullable Long restoredFrom, String comment) {

    /** What a form carries. */
    static Proposal of(MultivaluedMap<String, String> fields) {
        return new Proposal(
                field(fields, "text"),
                field(fields, "tag"),
                Longs.tryParse(field(fields, "restoredFrom")),
                field(fields, "comment").replace("\r\n", "\n").strip());
    }

    private static String field(MultivaluedMap<String, String> fields, String name) {
        String value = fields.getFirst(name);
        return value == null ? "" : value;
    }

    /** What a form carries of {@link #restoredFrom}. */
    String restored() {
        return restoredFrom == null ? "" : restoredFrom.toString();
    }

    static String tagOf(Optional<RulesVersion> version) {
        return version.map(RulesVersion::tag).orElse("");
    }

    Expectation expectation() {
        return tag.isEmpty() ? new Expectation.Nothing() : new Expectation.Tag(tag);
    }
}
