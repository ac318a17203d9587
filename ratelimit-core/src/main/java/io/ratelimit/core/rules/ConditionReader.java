package io.ratelimit.core.rules;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads conditions, which have the same fields wherever they stand. */
final class ConditionReader {

    static final List<String> FIELDS = List.of("path", "methods", "operation", "user", "ip", "attributes");

    /** A token of RFC 9110 section 5.6.2, which a method is. */
    private static final Pattern METHOD = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]+");

    private final AddressGrammar addresses = new AddressGrammar();

    /** Reads a mapping that is a condition and nothing else. */
    Condition read(Cursor cursor) {
        return Fields.open(cursor, FIELDS, Set.of()).map(this::read).orElse(Condition.ALWAYS);
    }

    /** As {@link #read(Cursor)}, where a condition that holds always would be a mistake. */
    Condition readNotEmpty(Cursor cursor, String consequence) {
        if (cursor.node() instanceof Node.Mapping mapping && mapping.entries().isEmpty()) {
            cursor.problem("an empty condition holds for every request and " + consequence + "; give at least one of "
                    + String.join(", ", FIELDS));
            return Condition.ALWAYS;
        }
        return read(cursor);
    }

    /** Reads the fields of a condition out of a mapping that may have others too. */
    Condition read(Fields fields) {
        return new Condition(
                values(fields, "path", "a pattern such as /api/**", ConditionReader::path),
                Set.copyOf(values(fields, "methods", "a method such as GET", ConditionReader::method)),
                Set.copyOf(values(fields, "operation", "an operation's name", Function.identity())),
                Set.copyOf(values(fields, "user", "a user's name", Function.identity())),
                values(fields, "ip", "an address or a network such as 192.0.2.0/24", addresses::parse),
                fields.get("attributes").map(ConditionReader::attributes).orElse(Map.of()));
    }

    /** Reads addresses and networks. */
    List<AddressRange> ranges(Cursor cursor) {
        List<AddressRange> ranges = new ArrayList<>();
        for (Cursor item : cursor.oneOrMany()) {
            item.parsed("an address or a network such as 10.0.0.0/8", addresses::parse)
                    .ifPresent(ranges::add);
        }
        return ranges;
    }

    private static <T> List<T> values(Fields fields, String name, String wanted, Function<String, T> grammar) {
        List<T> values = new ArrayList<>();
        for (Cursor item :
                fields.get(name).map(field -> field.oneOrMore(wanted)).orElse(List.of())) {
            item.parsed(wanted, grammar).ifPresent(values::add);
        }
        return values;
    }

    private static PathPattern path(String text) {
        try {
            return PathPattern.parse(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + ": " + Printable.shortened(String.valueOf(e.getMessage()), 300), e);
        }
    }

    private static String method(String text) {
        if (!METHOD.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    Printable.quoted(text) + " is no method; write a single method such as GET or [GET, POST]");
        }
        String upper = text.toUpperCase(Locale.ROOT);
        if (!upper.equals(text)) {
            throw new IllegalArgumentException("methods are case-sensitive and " + Printable.quoted(text)
                    + " would never match; write " + Printable.quoted(upper));
        }
        return text;
    }

    private static Map<String, Set<String>> attributes(Cursor cursor) {
        String wanted = "names of attributes, each with a value or a list of values, such as { tier: gold }";
        Map<String, Set<String>> attributes = new HashMap<>();
        if (cursor.node() instanceof Node.Mapping mapping && mapping.entries().isEmpty()) {
            cursor.problem("an empty mapping says nothing; give " + wanted + ", or leave the field out");
        }
        for (Map.Entry<String, Cursor> attribute : Fields.openFree(cursor, wanted)) {
            attributes.put(attribute.getKey(), attributeValues(attribute.getValue()));
        }
        return attributes;
    }

    private static Set<String> attributeValues(Cursor cursor) {
        String wanted = "the attribute's value or a list of values";
        Set<String> values = new HashSet<>();
        for (Cursor item : cursor.oneOrMore(wanted)) {
            Optional<String> value = item.anyScalar(wanted);
            value.ifPresent(values::add);
        }
        return values;
    }
}
