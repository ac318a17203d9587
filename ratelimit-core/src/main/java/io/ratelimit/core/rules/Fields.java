package io.ratelimit.core.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The fields of a mapping: unknown ones, and those that stand twice, are reported when it is opened. */
public final class Fields {

    private final Cursor owner;
    private final Map<String, Cursor> byName;
    private final List<Node.Entry> unknown;

    private Fields(Cursor owner, Map<String, Cursor> byName, List<Node.Entry> unknown) {
        this.owner = owner;
        this.byName = byName;
        this.unknown = unknown;
    }

    /**
     * Opens a mapping.
     *
     * @param owner the mapping
     * @param known the fields that it may have, in the order in which messages list them
     * @param notYet fields of the rules language that this version does not know how to follow
     * @return the fields; empty where the value is no mapping
     */
    public static Optional<Fields> open(Cursor owner, List<String> known, Set<String> notYet) {
        if (!(owner.node() instanceof Node.Mapping mapping)) {
            owner.problem(owner.described() + " stands where a mapping is due; its fields are " + listed(known));
            return Optional.empty();
        }
        Map<String, Cursor> byName = new HashMap<>();
        Map<String, Node.Entry> firsts = new HashMap<>();
        List<Node.Entry> unknown = new ArrayList<>();
        for (Node.Entry entry : mapping.entries()) {
            if (owner.problems().areFull()) {
                break;
            }
            Node.Entry first = firsts.putIfAbsent(entry.key(), entry);
            if (first != null) {
                reject(owner, entry, duplicate(entry, first));
            } else if (known.contains(entry.key())) {
                byName.put(entry.key(), child(owner, entry));
            } else if (notYet.contains(entry.key())) {
                reject(
                        owner,
                        entry,
                        Printable.quoted(entry.key()) + " is not available yet; available: " + listed(known));
            } else {
                unknown.add(entry);
                reject(
                        owner,
                        entry,
                        "unknown field " + Printable.quoted(entry.key()) + NearestWord.hint(entry.key(), known)
                                + "; valid fields are " + listed(known));
            }
        }
        return Optional.of(new Fields(owner, byName, unknown));
    }

    /** Opens a mapping whose keys are free, in the document's order. */
    static List<Map.Entry<String, Cursor>> openFree(Cursor owner, String wanted) {
        if (!(owner.node() instanceof Node.Mapping mapping)) {
            owner.problem(owner.described() + " stands where a mapping is due: " + wanted);
            return List.of();
        }
        Map<String, Node.Entry> firsts = new HashMap<>();
        for (Node.Entry entry : mapping.entries()) {
            Node.Entry first = firsts.putIfAbsent(entry.key(), entry);
            if (first != null) {
                reject(owner, entry, duplicate(entry, first));
            }
        }
        return mapping.entries().stream()
                .map(entry -> Map.entry(entry.key(), child(owner, entry)))
                .toList();
    }

    /**
     * A field.
     *
     * @param name its name
     * @return the field; empty where it is not there
     */
    public Optional<Cursor> get(String name) {
        return Optional.ofNullable(byName.get(name));
    }

    /**
     * A field whose absence is a problem.
     *
     * @param name its name
     * @param wanted what it says, for messages
     * @return the field; empty where it is not there
     */
    public Optional<Cursor> required(String name, String wanted) {
        Optional<Cursor> field = get(name);
        if (field.isEmpty()) {
            missing(name, wanted);
        }
        return field;
    }

    /** Reports that a field is missing: behind an unknown one, which may well be it, misspelt. */
    void missing(String name, String wanted) {
        boolean behind = !unknown.isEmpty();
        owner.problems()
                .add(
                        behind ? unknown.get(0).line() : owner.node().line(),
                        behind ? unknown.get(0).column() : owner.node().column(),
                        pathOf(owner, name),
                        "the field '" + name + "' is missing; give " + wanted);
    }

    boolean has(String name) {
        return byName.containsKey(name);
    }

    private static Cursor child(Cursor owner, Node.Entry entry) {
        return new Cursor(entry.value(), pathOf(owner, entry.key()), owner.problems());
    }

    private static void reject(Cursor owner, Node.Entry entry, String message) {
        owner.problems().add(entry.line(), entry.column(), pathOf(owner, entry.key()), message);
    }

    private static String duplicate(Node.Entry entry, Node.Entry first) {
        return "the field " + Printable.quoted(entry.key()) + " stands twice in one mapping, first in line "
                + first.line() + "; keep one";
    }

    private static String pathOf(Cursor owner, String name) {
        String step = Printable.shortened(name, 80);
        return owner.path().isEmpty() ? step : owner.path() + "." + step;
    }

    private static String listed(List<String> known) {
        return String.join(", ", known);
    }
}
