package io.ratelimit.server.document;

import io.ratelimit.rules.RulesException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the parts of a document stand in its text.
 *
 * @param spans the fields of the document by name, such as {@code service}, and the items of its lists, such as
 *     {@code rules[2]}
 * @param keyEnds where the names of the document's fields end
 * @param isFlow whether the document is a mapping in braces, as all JSON is
 * @param references what aliases stand for
 */
record DocumentPlaces(
        Map<String, Span> spans, Map<String, Integer> keyEnds, boolean isFlow, List<Reference> references) {

    /** An alias and the anchor it stands for, by their offsets. */
    record Reference(String name, int alias, int aliasLine, int anchor) {}

    /**
     * Finds the places of a document that the rules parser has accepted.
     *
     * @throws RulesException if the text cannot be read as YAML, as is the case with some unusual JSON
     */
    static DocumentPlaces of(String text) throws RulesException {
        return new PlacesReader(text).read();
    }

    Optional<Span> find(String place) {
        return Optional.ofNullable(spans.get(place));
    }

    /** The items of one of the document's lists. */
    List<Span> itemsOf(String list) {
        return Stream.iterate(0, i -> i + 1)
                .map(i -> find(list + "[" + i + "]"))
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
    }

    /** An alias outside of the span that stands for something inside of it. */
    Optional<Reference> referenceInto(Span span) {
        return references.stream()
                .filter(reference -> span.holds(reference.anchor) && !span.holds(reference.alias))
                .findFirst();
    }
}
