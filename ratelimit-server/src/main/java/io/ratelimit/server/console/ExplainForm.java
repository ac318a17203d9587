package io.ratelimit.server.console;

import com.google.common.primitives.Ints;
import io.ratelimit.core.explain.DescribedRequest;
import io.ratelimit.server.trial.Repetition;
import jakarta.ws.rs.core.MultivaluedMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A request as somebody describes it in the fields of a form.
 *
 * @param method its method
 * @param path its path; empty while nothing was described yet
 * @param user who is logged in, or empty
 * @param ip the address that it comes from, or empty
 * @param operation the operation that it calls, or empty
 * @param more headers, cookies, attributes and costs, in the words of {@link DescribedRequest}
 * @param times the how many-th such request it is
 * @param status what those before it were answered with
 */
record ExplainForm(
        String method,
        String path,
        String user,
        String ip,
        String operation,
        String more,
        String times,
        String status) {

    private static final int LONGEST = 4_000;

    static ExplainForm of(MultivaluedMap<String, String> fields) {
        return new ExplainForm(
                field(fields, "method", "GET"),
                field(fields, "path", ""),
                field(fields, "user", ""),
                field(fields, "ip", ""),
                field(fields, "operation", ""),
                field(fields, "more", ""),
                field(fields, "times", "1"),
                field(fields, "status", "200"));
    }

    private static String field(MultivaluedMap<String, String> fields, String name, String otherwise) {
        String value = fields.getFirst(name);
        return value == null || value.isBlank() ? otherwise : value.strip();
    }

    /** What is wrong, by the names of the fields; empty where the request can be made. */
    Map<String, String> errors() {
        Map<String, String> errors = new LinkedHashMap<>();
        if (!path.startsWith("/")) {
            errors.put("path", "The path begins with a slash, such as /api/orders.");
        } else if (path.contains("?")) {
            errors.put("path", "Leave out what follows the question mark.");
        }
        tryWords(errors, "method", quoted(method) + " /");
        tryWords(errors, "ip", "GET / " + named("ip", ip));
        tryWords(errors, "more", "GET / " + more);
        if (errors.isEmpty()) {
            // What stands in a field of its own and among the others again.
            tryWords(errors, "more", words());
        }
        tryNumber(errors, "times", times, 1, Repetition.MOST_TIMES);
        tryNumber(errors, "status", status, Repetition.FIRST_STATUS, Repetition.LAST_STATUS);
        return errors;
    }

    private static void tryWords(Map<String, String> errors, String field, String words) {
        if (words.length() > LONGEST) {
            errors.put(field, "This is too long: a request has " + LONGEST + " characters at most.");
            return;
        }
        try {
            DescribedRequest.parse(words);
        } catch (IllegalArgumentException e) {
            errors.put(field, String.valueOf(e.getMessage()));
        }
    }

    private static void tryNumber(Map<String, String> errors, String field, String text, int least, int most) {
        Integer number = Ints.tryParse(text);
        if (number == null || number < least || number > most) {
            errors.put(field, "This must be a whole number from " + least + " to " + Counted.number(most) + ".");
        }
    }

    /** The request; only where there are no {@link #errors}. */
    DescribedRequest request() {
        return DescribedRequest.parse(words());
    }

    /** Which of several such requests it is; only where there are no {@link #errors}. */
    Repetition repetition() {
        return new Repetition(Integer.parseInt(times), Integer.parseInt(status));
    }

    private String words() {
        return String.join(
                        " ",
                        quoted(method),
                        quoted(path),
                        named("user", user),
                        named("ip", ip),
                        named("operation", operation),
                        more)
                .strip();
    }

    private static String named(String name, String value) {
        return value.isEmpty() ? "" : name + "=" + quoted(value);
    }

    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
