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
 * @param unseen what others have published that the text does not have yet, or null
 */
record EditorPage(
        Shell shell,
        ServiceName service,
        String text,
        String comment,
        @Nullable RulesVersion base,
        FindingsView findings,
        @Nullable DiffView unseen)
        implements Page {

    String tag() {
        return base == null ? "" : base.tag();
    }

    @Override
    public String template() {
        return "editor.jte";
    }
}
