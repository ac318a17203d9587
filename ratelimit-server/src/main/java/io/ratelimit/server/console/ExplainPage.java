package io.ratelimit.server.console;

import io.ratelimit.server.document.Finding;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of a request.
 *
 * @param visit whose page it is
 * @param draft what is tried, or null for those in force
 * @param form the request as it was described
 * @param errors what is wrong with the description, by field
 * @param findings what is wrong with the draft
 * @param explanation what becomes of the request, or null where nothing was asked, or not rightly
 */
record ExplainPage(
        Visit visit,
        @Nullable Proposal draft,
        ExplainForm form,
        Map<String, String> errors,
        List<Finding> findings,
        @Nullable ExplanationInWords explanation)
        implements Page {

    private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS");

    @Override
    public String template() {
        return "explain.jte";
    }

    boolean isDraft() {
        return draft != null;
    }

    /** The methods to choose from, the chosen one among them. */
    List<String> methods() {
        return Stream.concat(METHODS.stream(), Stream.of(form.method()))
                .distinct()
                .toList();
    }

    @Nullable
    String error(String field) {
        return errors.get(field);
    }
}
