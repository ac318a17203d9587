package io.ratelimit.server.document;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;

/** A list of rules in brackets, of YAML or JSON. */
record FlowRules(TextLines lines, List<Span> items, Span list) implements RulesList {

    @Override
    public String append(RuleText rule) {
        if (items.isEmpty()) {
            int end = list.end() - 1;
            return lines.replaced(end, end, text(rule, list.start()));
        }
        Span last = items.get(items.size() - 1);
        return lines.replaced(last.end(), last.end(), "," + gapBefore(last) + text(rule, last.start()));
    }

    @Override
    public String replace(int index, RuleText rule) {
        Span old = items.get(index);
        return lines.replaced(old.start(), old.end(), text(rule, old.start()));
    }

    @Override
    public String remove(int index) {
        Span old = items.get(index);
        int behind = lines.skip(old.end());
        if (lines.has(',', behind)) {
            // The comma goes, and the blanks up to what comes next; a comment in between stays.
            String rest = lines.replaced(behind, lines.skipBlanks(behind + 1), "");
            return rest.substring(0, old.start()) + rest.substring(old.end());
        }
        int before = index == 0 ? list.start() : lines.skip(items.get(index - 1).end());
        // A comment before the rule stays, and so does its line break.
        int start = lines.isBlank(before + 1, old.start()) ? before + 1 : lines.lineStart(old.start());
        String rest = lines.replaced(start, old.end(), "");
        return index == 0 ? rest : rest.substring(0, before) + rest.substring(before + 1);
    }

    /** What stands between this item and what is before it. */
    private String gapBefore(Span item) {
        String gap = lines.text().substring(lines.beforeBlanks(item.start()), item.start());
        return gap.isEmpty() && !isJson() ? " " : gap;
    }

    private String text(RuleText rule, int place) {
        if (!isJson()) {
            return rule.tree().flow();
        }
        return isOnOneLine() ? rule.tree().json().toString() : pretty(rule, lines.indentation(place));
    }

    private String pretty(RuleText rule, String indentation) {
        String step = indentation.startsWith("\t") ? "\t" : "  ";
        DefaultPrettyPrinter printer = new DefaultPrettyPrinter(
                        Separators.createDefaultInstance().withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                .withObjectIndenter(new DefaultIndenter(step, lines.lineBreak() + indentation));
        try {
            return new JsonMapper()
                    .writer(printer)
                    .writeValueAsString(rule.tree().json());
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree of JSON can be written", e);
        }
    }

    private boolean isOnOneLine() {
        return lines.lineEnd(list.start()) >= list.end();
    }

    /** As the rules parser tells JSON from YAML. */
    private boolean isJson() {
        return lines.has('{', lines.skipBlanks(0));
    }
}
