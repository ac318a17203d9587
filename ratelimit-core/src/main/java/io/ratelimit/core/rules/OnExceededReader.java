package io.ratelimit.core.rules;

import io.ratelimit.rules.OnExceeded;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what becomes of the requests that a rule refuses. */
final class OnExceededReader {

    private static final Words<OnExceeded> WORDS = new Words<>(words(), Set.of());
    private static final String QUEUE = "queue";
    private static final String MAX_WAIT = "maxWait";
    private static final String STATUS = "status";
    private static final Pattern STATUS_CODE = Pattern.compile("[1-9]\\d\\d");
    private static final String QUEUE_EXAMPLE = "{ queue: 10, maxWait: 5s }";

    private final DurationGrammar durations = new DurationGrammar();

    private static Map<String, OnExceeded> words() {
        Map<String, OnExceeded> words = new LinkedHashMap<>();
        words.put("reject", OnExceeded.REJECT);
        words.put("drop", OnExceeded.DROP);
        words.put("shadow", OnExceeded.SHADOW);
        return words;
    }

    OnExceeded read(Cursor cursor) {
        if (cursor.node() instanceof Node.Mapping mapping) {
            return Fields.open(cursor, List.of(STATUS, QUEUE, MAX_WAIT), Set.of())
                    .flatMap(fields -> mapping.entries().isEmpty() ? nothingSaid(fields) : read(fields))
                    .orElse(OnExceeded.REJECT);
        }
        if (cursor.node() instanceof Node.Scalar scalar && scalar.text().equals(QUEUE)) {
            cursor.problem("a queue needs its places and the longest wait; write onExceeded: " + QUEUE_EXAMPLE);
            return OnExceeded.REJECT;
        }
        if (cursor.node() instanceof Node.Scalar scalar
                && STATUS_CODE.matcher(scalar.text()).matches()) {
            cursor.problem(
                    "a status stands in a field of its own; write onExceeded: { status: " + scalar.text() + " }");
            return OnExceeded.REJECT;
        }
        return cursor.word(WORDS).orElse(OnExceeded.REJECT);
    }

    private static Optional<OnExceeded> nothingSaid(Fields fields) {
        fields.missing(
                STATUS, "the status of a refusal, such as { status: 503 }, or a queue, such as " + QUEUE_EXAMPLE);
        return Optional.empty();
    }

    private Optional<OnExceeded> read(Fields fields) {
        OptionalLong status =
                fields.get(STATUS).map(field -> field.wholeNumber(400, 599)).orElse(OptionalLong.empty());
        if (!fields.has(QUEUE) && !fields.has(MAX_WAIT)) {
            return status.isPresent() ? Optional.of(new OnExceeded((int) status.getAsLong())) : Optional.empty();
        }
        return line(fields)
                .map(line ->
                        new OnExceeded(OnExceeded.Action.QUEUE, (int) status.orElse(OnExceeded.REJECT.status()), line));
    }

    private Optional<OnExceeded.Line> line(Fields fields) {
        OptionalLong places = fields.required(QUEUE, "how many requests of a client may wait, such as queue: 10")
                .map(field -> field.wholeNumber(1, OnExceeded.Line.MOST_PLACES))
                .orElse(OptionalLong.empty());
        Optional<Duration> maxWait = fields.required(MAX_WAIT, "how long one may wait, such as maxWait: 5s")
                .flatMap(field ->
                        field.anyScalar("a duration such as 5s").flatMap(text -> field.attempt(() -> wait(text))));
        return places.isPresent()
                ? maxWait.map(wait -> new OnExceeded.Line((int) places.getAsLong(), wait))
                : Optional.empty();
    }

    private Duration wait(String text) {
        Duration wait = durations.parse(text);
        boolean isTooShort = wait.compareTo(OnExceeded.Line.SHORTEST_WAIT) < 0;
        if (isTooShort || wait.compareTo(OnExceeded.Line.LONGEST_WAIT) > 0) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is out of range; give a duration between 1ms and 10m");
        }
        return wait;
    }
}
