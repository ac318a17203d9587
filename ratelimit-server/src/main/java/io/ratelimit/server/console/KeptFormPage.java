package io.ratelimit.server.console;

import jakarta.ws.rs.core.MultivaluedMap;
import java.util.List;

/**
 * A form that came without its session, to be sent again as it is. It goes to the address that it came to.
 *
 * @param shell what stands around the page, with the session that there is now
 * @param fields all that was filled in
 */
record KeptFormPage(Shell shell, List<Field> fields) implements Page {

    /** What pages put into forms, which nobody types. */
    private static final List<String> CARRIED = List.of("tag", "restoredFrom");

    /** One field of a form. */
    record Field(String name, String value) {}

    /** Keeps what was sent, without the token that is not valid. */
    static KeptFormPage of(Shell shell, MultivaluedMap<String, String> sent) {
        return new KeptFormPage(
                shell,
                sent.entrySet().stream()
                        .filter(field -> !field.getKey().equals(SessionAuthentication.CSRF_FIELD))
                        .flatMap(field -> field.getValue().stream().map(value -> new Field(field.getKey(), value)))
                        .toList());
    }

    /** What people may want to copy. */
    List<Field> typed() {
        return fields.stream()
                .filter(field ->
                        !CARRIED.contains(field.name()) && !field.value().isBlank())
                .toList();
    }

    @Override
    public String template() {
        return "kept-form.jte";
    }
}
