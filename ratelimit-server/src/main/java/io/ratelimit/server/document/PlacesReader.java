package io.ratelimit.server.document;

import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.DocumentPlaces.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;

/** Finds the places of one document. */
final class PlacesReader {

    private final String text;
    private final IntUnaryOperator offsets;
    private final Map<String, Span> spans = new HashMap<>();
    private final Map<String, Integer> keyEnds = new HashMap<>();
    private final Map<String, Integer> anchors = new HashMap<>();
    private final List<Reference> references = new ArrayList<>();
    private final Deque<CollectionStartEvent> open = new ArrayDeque<>();
    private @Nullable String field;
    private int item;
    private boolean isFlow;
    /** Where the last value ends. A list or mapping without brackets has no end of its own. */
    private int contentEnd;

    PlacesReader(String text) {
        this.text = text;
        this.offsets = offsets(text);
    }

    DocumentPlaces read() throws RulesException {
        for (Event event : new YamlEvents(RulesEditor.LOCATION).of(text)) {
            if (event instanceof CollectionEndEvent) {
                end(event);
            } else if (event instanceof NodeEvent node) {
                begin(node);
            }
        }
        return new DocumentPlaces(Map.copyOf(spans), Map.copyOf(keyEnds), isFlow, List.copyOf(references));
    }

    private void begin(NodeEvent event) {
        if (event instanceof AliasEvent alias) {
            refer(alias);
        } else {
            event.getAnchor().ifPresent(anchor -> anchors.put(anchor.getValue(), start(event)));
        }
        if (event instanceof CollectionStartEvent collection) {
            if (open.isEmpty()) {
                isFlow = collection.isFlow();
            }
            open.push(collection);
            return;
        }
        contentEnd = end(event, event instanceof ScalarEvent scalar && isBlock(scalar));
        if (isKeyOfDocument() && event instanceof ScalarEvent key) {
            field = key.getValue();
            item = 0;
            keyEnds.put(field, contentEnd);
        } else {
            finish(event, false);
        }
    }

    private void end(Event event) {
        CollectionStartEvent start = open.pop();
        if (start.isFlow()) {
            contentEnd = end(event, false);
        }
        finish(start, start.isFlow());
    }

    /** A value is over: it is noted if it is a field of the document or an item of one. */
    private void finish(Event start, boolean flow) {
        if (field == null) {
            return;
        }
        if (open.size() == 1) {
            spans.put(field, span(start, flow));
            field = null;
        } else if (open.size() == 2 && !(open.element() instanceof MappingStartEvent)) {
            spans.put(field + "[" + item + "]", span(start, flow));
            item++;
        }
    }

    private boolean isKeyOfDocument() {
        return open.size() == 1 && field == null;
    }

    private Span span(Event start, boolean flow) {
        Mark mark = start.getStartMark().orElseThrow();
        return new Span(start(start), contentEnd, mark.getLine() + 1, mark.getColumn() + 1, flow);
    }

    private void refer(AliasEvent alias) {
        String name = alias.getAlias().getValue();
        Integer anchor = anchors.get(name);
        if (anchor != null) {
            int line = alias.getStartMark().orElseThrow().getLine() + 1;
            references.add(new Reference(name, start(alias), line, anchor));
        }
    }

    private int start(Event event) {
        return offsets.applyAsInt(event.getStartMark().orElseThrow().getIndex());
    }

    private int end(Event event, boolean withoutBlanks) {
        int end = offsets.applyAsInt(event.getEndMark().orElseThrow().getIndex());
        while (withoutBlanks && Character.isWhitespace(text.charAt(end - 1))) {
            end--;
        }
        return end;
    }

    /** A text behind {@code |} or {@code >}, to which the blank lines behind it count as well. */
    private static boolean isBlock(ScalarEvent scalar) {
        return switch (scalar.getScalarStyle()) {
            case LITERAL, FOLDED -> true;
            default -> false;
        };
    }

    /** The parser counts code points. */
    private static IntUnaryOperator offsets(String text) {
        if (text.codePointCount(0, text.length()) == text.length()) {
            return index -> index;
        }
        int[] offsets = new int[text.codePointCount(0, text.length()) + 1];
        for (int i = 1; i < offsets.length; i++) {
            offsets[i] = text.offsetByCodePoints(offsets[i - 1], 1);
        }
        return index -> offsets[index];
    }
}
