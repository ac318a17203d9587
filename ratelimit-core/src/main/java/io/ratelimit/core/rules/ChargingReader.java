package io.ratelimit.core.rules;

import io.ratelimit.rules.Charging;
import io.ratelimit.rules.StatusRange;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads when a rule charges a request. */
final class ChargingReader {

    private static final Words<Boolean> BY_RESPONSE =
            new Words<>(Words.ordered("request", false, "response", true), Set.of());
    private static final Pattern STATUS = Pattern.compile("[1-5][0-9]{2}");
    private static final Pattern STATUS_CLASS = Pattern.compile("[1-5]xx");
    private static final String EXAMPLE = "statuses, such as status: [401, 403] or status: 5xx";

    Charging read(Cursor cursor) {
        return Fields.open(cursor, List.of("when", "status"), Set.of())
                .flatMap(this::read)
                .orElse(Charging.ON_REQUEST);
    }

    private Optional<Charging> read(Fields fields) {
        boolean byResponse = fields.required("when", "the moment of the charge: when: request or when: response")
                .flatMap(field -> field.word(BY_RESPONSE))
                .orElse(false);
        if (!byResponse) {
            fields.get("status")
                    .ifPresent(
                            status -> status.problem(
                                    "'status' says which responses are charged; write when: response beside it, or leave it out"));
            return Optional.empty();
        }
        List<StatusRange> statuses =
                fields.required("status", EXAMPLE).map(ChargingReader::statuses).orElse(List.of());
        return statuses.isEmpty() ? Optional.empty() : Optional.of(new Charging.OnResponse(statuses));
    }

    private static List<StatusRange> statuses(Cursor cursor) {
        return cursor.oneOrMore(EXAMPLE).stream()
                .map(ChargingReader::status)
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<StatusRange> status(Cursor cursor) {
        return cursor.anyScalar(EXAMPLE)
                .flatMap(text -> cursor.attempt(() -> {
                    if (STATUS.matcher(text).matches()) {
                        return StatusRange.of(Integer.parseInt(text));
                    }
                    if (STATUS_CLASS.matcher(text).matches()) {
                        return StatusRange.ofClass(Character.digit(text.charAt(0), 10));
                    }
                    throw new IllegalArgumentException(Printable.quoted(text)
                            + " is no HTTP status; write one between 100 and 599, or a class of them such as 5xx");
                }));
    }
}
