package io.ratelimit.server.document;

import io.ratelimit.server.document.RuleEditException.Reason;
import java.util.List;

/** A list of rules that is written with dashes, one below the other; or {@code []}, of which such a list can be made. */
record BlockRules(TextLines lines, DocumentPlaces places, Span list) implements RulesList {

    private static final String STEP = "  ";

    @Override
    public String append(RuleText rule) throws RuleEditException {
        List<Span> items = places.itemsOf("rules");
        if (items.isEmpty()) {
            return first(rule);
        }
        int last = items.size() - 1;
        int dash = dash(items, last);
        int end = lines.lineEnd(items.get(last).end());
        return lines.replaced(end, end, item(lines.text().substring(lines.lineStart(dash), dash), rule));
    }

    /** The brackets go; a comment behind them stays in its line. */
    private String first(RuleText rule) {
        int end = lines.lineEnd(list.end());
        return lines.text().substring(0, lines.beforeBlanks(list.start()))
                + lines.text().substring(list.end(), end)
                + item(STEP, rule)
                + lines.text().substring(end);
    }

    /** Comments that the rule begins with stand above its dash. */
    private String item(String indentation, RuleText rule) {
        List<String> text = rule.lines();
        List<String> comments =
                text.stream().takeWhile(line -> line.startsWith("#")).toList();
        StringBuilder item = new StringBuilder();
        comments.forEach(
                comment -> item.append(lines.lineBreak()).append(indentation).append(comment));
        return item.append(lines.lineBreak())
                .append(indentation)
                .append("- ")
                .append(joined(text.subList(comments.size(), text.size()), indentation + STEP))
                .toString();
    }

    @Override
    public String replace(int index, RuleText rule) {
        Span old = places.itemsOf("rules").get(index);
        boolean staysFlow = old.isFlow() && rule.written().isEmpty();
        List<String> text = staysFlow ? List.of(rule.tree().flow()) : rule.lines();
        return lines.replaced(old.start(), old.end(), joined(text, " ".repeat(old.column() - 1)));
    }

    @Override
    public String remove(int index) throws RuleEditException {
        List<Span> items = places.itemsOf("rules");
        int start = lines.lineStart(dash(items, index));
        int end = items.get(index).end();
        if (!lines.isOver(end)) {
            throw unclear();
        }
        String rest = lines.replaced(start, lines.nextLine(end), "");
        if (items.size() > 1) {
            return rest;
        }
        int colon = lines.skipBlanks(places.keyEnds().getOrDefault("rules", 0)) + 1;
        return rest.substring(0, colon) + " []" + rest.substring(colon);
    }

    /** The dash of an item, which must be the first in its line. Only comments, blanks and an anchor stand before it. */
    private int dash(List<Span> items, int index) throws RuleEditException {
        int place = lines.skip(index == 0 ? list.start() : items.get(index - 1).end());
        if (lines.has('&', place)) {
            while (!lines.isBlank(place, place + 1)) {
                place++;
            }
            place = lines.skip(place);
        }
        if (!lines.has('-', place) || !lines.isBlank(lines.lineStart(place), place)) {
            throw unclear();
        }
        return place;
    }

    private String joined(List<String> text, String indentation) {
        StringBuilder joined = new StringBuilder(text.get(0));
        for (String line : text.subList(1, text.size())) {
            joined.append(lines.lineBreak()).append(line.isBlank() ? "" : indentation + line);
        }
        return joined.toString();
    }

    private static RuleEditException unclear() {
        return new RuleEditException(
                Reason.LAYOUT,
                "the document's list of rules is written in a way in which a single rule cannot be changed; give each"
                        + " rule lines of its own that begin with '- name:', or edit the whole text");
    }
}
