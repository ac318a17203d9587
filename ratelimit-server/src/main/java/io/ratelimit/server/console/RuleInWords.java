package io.ratelimit.server.console;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a rule says, for people.
 *
 * @param name the rule's name
 * @param requests which requests it is for
 * @param bucket who shares a bucket
 * @param counting what is special about how requests are counted
 * @param limits what is allowed; all of these hold
 * @param exceeded what happens to requests beyond that
 * @param exceptions other limits for some of the requests
 */
record RuleInWords(
        String name,
        String requests,
        String bucket,
        List<String> counting,
        List<String> limits,
        String exceeded,
        List<String> exceptions) {

    /** Whether one of the words that people see holds the text, in whatever case. */
    boolean mentions(String text) {
        String wanted = text.toLowerCase(Locale.ROOT);
        return name.toLowerCase(Locale.ROOT).contains(wanted)
                || requests.toLowerCase(Locale.ROOT).contains(wanted)
                || bucket.toLowerCase(Locale.ROOT).contains(wanted);
    }

    /** The words beside the name, by what they are about. */
    Map<String, String> parts() {
        Map<String, String> parts = new LinkedHashMap<>();
        parts.put("Requests", requests);
        parts.put("Counted for", counting.isEmpty() ? bucket : bucket + "; " + String.join("; ", counting));
        parts.put("Limits", String.join(" and ", limits));
        parts.put("Beyond that", exceeded);
        parts.put("Exceptions", exceptions.isEmpty() ? "none" : String.join("; ", exceptions));
        return parts;
    }
}
