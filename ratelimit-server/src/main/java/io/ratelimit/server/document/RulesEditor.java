package io.ratelimit.server.document;

import io.ratelimit.core.rules.Printable;
import io.ratelimit.core.rules.RulesParser;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.RulesDocument;
import io.ratelimit.rules.RulesException;
import io.ratelimit.server.document.DocumentPlaces.Reference;
import io.ratelimit.server.document.RuleEditException.Reason;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Adds, replaces and removes single rules in a document's text. Everything else, comments and layout included, stays as it
 * was written: a comment above a rule that is removed, and one behind the last line of a rule that is replaced, too.
 *
 * <p>A rule is given as YAML or JSON. Into a list with dashes it is put as it was written; anywhere else in the notation of
 * the document, without its comments. What becomes of the document is read again before it is handed out: if another rule
 * or a setting were not the same as before, the edit is refused. Immutable and thread-safe.
 */
public final class RulesEditor {

    static final String LOCATION = "the rules";

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final RulesParser parser = new RulesParser();

    /** Makes an editor. */
    public RulesEditor() {}

    /**
     * Adds a rule at the end.
     *
     * @param document a valid document
     * @param rule the rule alone
     * @return the document with the rule
     * @throws RulesException if the document is not valid, or would not be with the rule; lines are those of the document
     *     with the rule
     * @throws RuleEditException if the document has a rule of this name, or cannot be edited rule by rule
     */
    public String create(String document, String rule) throws RulesException, RuleEditException {
        RuleText added = RuleText.parse(rule);
        Edited edited = open(document);
        edited.refuseTaken(added.tree().name(), null);
        String text = edited.list().append(added);
        return check(edited, text, edited.rules().rules().size(), added);
    }

    /**
     * Replaces a rule where it stands. The new one may have another name.
     *
     * @param document a valid document
     * @param name the name of the rule that is replaced
     * @param rule the new rule alone
     * @return the document with the new rule
     * @throws RulesException if the document is not valid, or would not be with the rule; lines are those of the document
     *     with the rule
     * @throws RuleEditException if the document has no rule of this name, another one has the new name, something in the
     *     old rule is used elsewhere, or the document cannot be edited rule by rule
     */
    public String replace(String document, String name, String rule) throws RulesException, RuleEditException {
        RuleText replacing = RuleText.parse(rule);
        Edited edited = open(document);
        int index = edited.indexOf(name);
        edited.refuseTaken(replacing.tree().name(), name);
        String text = edited.list().replace(index, replacing);
        return check(edited, text, index, replacing);
    }

    /**
     * Removes a rule.
     *
     * @param document a valid document
     * @param name the rule's name
     * @return the document without the rule
     * @throws RulesException if the document is not valid
     * @throws RuleEditException if the document has no rule of this name, something in it is used elsewhere, or the
     *     document cannot be edited rule by rule
     */
    public String remove(String document, String name) throws RulesException, RuleEditException {
        Edited edited = open(document);
        int index = edited.indexOf(name);
        return check(edited, edited.list().remove(index), index, null);
    }

    private record Edited(String mark, String text, RuleSet rules, DocumentPlaces places) {

        RulesList list() throws RuleEditException {
            if (places.find("rules").isEmpty()
                    || places.itemsOf("rules").size() != rules.rules().size()) {
                throw unclear();
            }
            return RulesList.in(text, places);
        }

        /** The place of a rule that nothing else depends on. */
        int indexOf(String name) throws RuleEditException {
            int index = rules.rules().stream().map(Rule::name).toList().indexOf(name);
            if (index < 0) {
                throw new RuleEditException(
                        Reason.NO_SUCH_RULE, "there is no rule " + Printable.quoted(name) + " in the rules");
            }
            Optional<Reference> used = places.find("rules[" + index + "]").flatMap(places::referenceInto);
            if (used.isPresent()) {
                throw new RuleEditException(
                        Reason.USED_ELSEWHERE,
                        "rule " + Printable.quoted(name) + " holds the anchor '&"
                                + used.get().name()
                                + "', which line " + used.get().aliasLine()
                                + " uses; write out there what it stands for, then change the rule");
            }
            return index;
        }

        void refuseTaken(String name, @Nullable String except) throws RuleEditException {
            if (!name.equals(except)
                    && rules.rules().stream().anyMatch(rule -> rule.name().equals(name))) {
                throw new RuleEditException(
                        Reason.NAME_TAKEN,
                        "there is another rule " + Printable.quoted(name) + " in the rules; choose another name");
            }
        }
    }

    private Edited open(String document) throws RulesException, RuleEditException {
        String mark = document.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
        String text = document.substring(mark.length());
        RuleSet rules = parse(text);
        try {
            return new Edited(mark, text, rules, DocumentPlaces.of(text));
        } catch (RulesException e) {
            throw unclear();
        }
    }

    /** The text, if it differs from the old one in nothing but the one rule. */
    private String check(Edited edited, String text, int index, @Nullable RuleText rule)
            throws RulesException, RuleEditException {
        RuleSet before = edited.rules();
        RuleSet after = parseEdited(text, index, rule);
        List<Rule> othersAfter = rule == null ? after.rules() : without(after, index);
        boolean othersAreKept = without(before, index).equals(othersAfter);
        boolean ruleIsThere = rule == null || RuleTree.allOf(text).get(index).equals(rule.tree());
        if (!othersAreKept || !ruleIsThere || !settings(before).equals(settings(after))) {
            throw unclear();
        }
        return edited.mark() + text;
    }

    private RuleSet parseEdited(String text, int index, @Nullable RuleText rule)
            throws RulesException, RuleEditException {
        try {
            return parse(text);
        } catch (RulesException e) {
            String field = "rules[" + index + "]";
            if (rule != null && e.problems().stream().allMatch(problem -> isWithin(field, problem.field()))) {
                throw e;
            }
            // The rule alone could be read, and the others could before: it is the two together that cannot.
            throw unclear();
        }
    }

    private static boolean isWithin(String rule, @Nullable String field) {
        return field != null && field.startsWith(rule);
    }

    private RuleSet parse(String text) throws RulesException {
        return parser.parse(new RulesDocument(LOCATION, text.getBytes(StandardCharsets.UTF_8), "edit", 1));
    }

    /** The other rules; all of them where the rule is a new one behind the last. */
    private static List<Rule> without(RuleSet rules, int index) {
        List<Rule> others = new ArrayList<>(rules.rules());
        if (index < others.size()) {
            others.remove(index);
        }
        return others;
    }

    private static RuleSet settings(RuleSet rules) {
        return new RuleSet(
                rules.service(),
                rules.version(),
                rules.clients(),
                rules.addresses(),
                rules.exempt(),
                rules.costs(),
                rules.store(),
                List.of());
    }

    private static RuleEditException unclear() {
        return new RuleEditException(
                Reason.LAYOUT,
                "the document is written in a way in which this rule cannot be changed without touching the rest; edit the"
                        + " whole text");
    }
}
