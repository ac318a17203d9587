package io.ratelimit.core.rules;

import io.ratelimit.rules.Charging;
import io.ratelimit.rules.StatusRange;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads when a rule charges a request. */
final class ChargingReader {

    private static final Words<Boolean> BY_RESPONSE =
            new Words<>(Words.ordered("request", false, "response", true), Set.of());
    private static final int LEAST = 100;
    private static final int MOST = 599;
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
        if (cursor.node() instanceof Node.Scalar scalar && scalar.type() == Node.Scalar.Type.TEXT) {
            return cursor.attempt(() -> statusClass(scalar.text()));
        }
        OptionalLong status = cursor.wholeNumber(LEAST, MOST);
        return status.isPresent() ? Optional.of(StatusRange.of((int) status.getAsLong())) : Optional.empty();
    }

    private static StatusRange statusClass(String text) {
        if (STATUS_CLASS.matcher(text).matches()) {
            return StatusRange.ofClass(Character.digit(text.charAt(0), 10));
        }
        throw new IllegalArgumentException(
                Printable.quoted(text) + " is no class of HTTP statuses; write one from 1xx to"
                        + " 5xx, or a status such as 401 without quotes");
    }
}
