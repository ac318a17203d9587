package io.ratelimit.server.console;

import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.rules.ServiceName;
import org.jspecify.annotations.Nullable;

/**
 * The whole document in a field.
 *
 * @param shell what stands around the page
 * @param service whose rules
 * @param text the document
 * @param comment why it is to be published, as far as that was typed
 * @param base what is in force, which the text is to replace; null where there is nothing yet
 * @param findings what is to be said of the text
 * @param theirs what others have published since the text was begun, or null
 * @param isMerged whether the text has that already
 */
record EditorPage(
        Shell shell,
        ServiceName service,
        String text,
        String comment,
        @Nullable RulesVersion base,
        FindingsView findings,
        @Nullable DiffView theirs,
        boolean isMerged)
        implements Page {

    /** Whether a rule in the text may be one that only counts. */
    boolean isShadow() {
        return text.contains("onExceeded: shadow");
    }

    String tag() {
        return base == null ? "" : base.tag();
    }

    @Override
    public String template() {
        return "editor.jte";
    }
}
