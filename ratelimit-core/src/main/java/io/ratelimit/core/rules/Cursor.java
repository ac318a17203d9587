package io.ratelimit.core.rules;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A node, the path that leads to it, and the collection that problems go to. A method that returns nothing has reported
 * why.
 *
 * @param node the node
 * @param path the path from the document's beginning, such as {@code rules[2].limits}
 * @param problems hears what is wrong
 */
public record Cursor(Node node, String path, Problems problems) {

    private static final int MOST_DIGITS = 30;

    /**
     * Reports that the value is wrong.
     *
     * @param message what is wrong, with the value, and what would be right
     */
    public void problem(String message) {
        problems.add(node.line(), node.column(), path, message);
    }

    /**
     * Where the value begins.
     *
     * @return the line, from 1
     */
    public int line() {
        return node.line();
    }

    /** The same place, whose problems name a rule. */
    Cursor inRule(String name) {
        return new Cursor(node, path, problems.inRule(name));
    }

    /** The first field of a name, looked up before the mapping is opened; empty where there is none. */
    Optional<Cursor> peek(String name) {
        if (!(node instanceof Node.Mapping mapping)) {
            return Optional.empty();
        }
        return mapping.entries().stream()
                .filter(entry -> entry.key().equals(name))
                .findFirst()
                .map(entry -> new Cursor(entry.value(), path + "." + name, problems));
    }

    /** The items of a list; for anything else but a list, the value itself as the only item. */
    List<Cursor> oneOrMany() {
        if (!(node instanceof Node.Sequence sequence)) {
            return List.of(this);
        }
        List<Cursor> items = new ArrayList<>(sequence.items().size());
        for (Node item : sequence.items()) {
            items.add(new Cursor(item, path + "[" + items.size() + "]", problems));
        }
        return items;
    }

    /** As {@link #oneOrMany}, but an empty list is a problem. */
    List<Cursor> oneOrMore(String wanted) {
        List<Cursor> items = oneOrMany();
        if (items.isEmpty()) {
            problem("an empty list says nothing; give " + wanted + ", or leave the field out");
        }
        return items;
    }

    /**
     * The items of a list.
     *
     * @param wanted what the list is made of, for messages
     * @return the items, which may be none; none where the value is no list
     */
    public List<Cursor> items(String wanted) {
        if (node instanceof Node.Sequence) {
            return oneOrMany();
        }
        problem(described() + " stands where a list is due: " + wanted);
        return List.of();
    }

    /** The text; numbers and truth values must be quoted to be one. */
    Optional<String> text(String wanted) {
        if (!(node instanceof Node.Scalar scalar) || scalar.type() == Node.Scalar.Type.NULL) {
            problem(described() + " stands where a text is due: " + wanted);
            return Optional.empty();
        }
        if (scalar.type() != Node.Scalar.Type.TEXT) {
            problem(Printable.quoted(scalar.text()) + " is "
                    + (scalar.type() == Node.Scalar.Type.BOOLEAN ? "a truth value" : "a number")
                    + " where a text is due; put it in quotes: \"" + Printable.shortened(scalar.text(), 40) + "\"");
            return Optional.empty();
        }
        if (scalar.text().isBlank()) {
            problem("the text is blank; give " + wanted);
            return Optional.empty();
        }
        return Optional.of(scalar.text());
    }

    /**
     * The text of any single value.
     *
     * @param wanted what the value says, for messages
     * @return the text as it is written; empty where there is no value, or a list or mapping
     */
    public Optional<String> anyScalar(String wanted) {
        if (node instanceof Node.Scalar scalar && scalar.type() != Node.Scalar.Type.NULL) {
            return Optional.of(scalar.text());
        }
        problem(described() + " stands where a single value is due: " + wanted);
        return Optional.empty();
    }

    /** What a grammar, which throws {@link IllegalArgumentException}, makes of the text. */
    <T> Optional<T> parsed(String wanted, Function<String, T> grammar) {
        return text(wanted).flatMap(text -> attempt(() -> grammar.apply(text)));
    }

    /**
     * Makes something of the value.
     *
     * @param maker makes it, or throws an {@link IllegalArgumentException} whose message becomes a problem
     * @param <T> what is made
     * @return what was made; empty where nothing was
     */
    public <T> Optional<T> attempt(Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    /**
     * A whole number within a range.
     *
     * @param least the smallest
     * @param most the greatest
     * @return the number; empty where the value is none, or out of the range
     */
    public OptionalLong wholeNumber(long least, long most) {
        String wanted = "a whole number between " + least + " and " + most;
        if (!(node instanceof Node.Scalar scalar) || scalar.type() != Node.Scalar.Type.WHOLE_NUMBER) {
            problem(described() + " stands where a number is due: " + wanted + ", in plain digits, without quotes");
            return OptionalLong.empty();
        }
        BigInteger number =
                scalar.text().length() > MOST_DIGITS ? BigInteger.ONE.shiftLeft(Long.SIZE) : number(scalar.text());
        if (number.compareTo(BigInteger.valueOf(least)) < 0 || number.compareTo(BigInteger.valueOf(most)) > 0) {
            problem(Printable.quoted(scalar.text()) + " is out of range; give " + wanted);
            return OptionalLong.empty();
        }
        return OptionalLong.of(number.longValueExact());
    }

    /** What one of the field's words stands for. */
    <T> Optional<T> word(Words<T> words) {
        Optional<String> text = text("one of " + words.choice());
        if (text.isEmpty()) {
            return Optional.empty();
        }
        String word = text.get();
        T meaning = words.meanings().get(word);
        if (meaning == null) {
            problem(
                    words.notYet().contains(word)
                            ? Printable.quoted(word) + " is not available yet; available: " + words.choice()
                            : Printable.quoted(word) + " is unknown"
                                    + NearestWord.hint(word, words.meanings().keySet()) + "; available: "
                                    + words.choice());
        }
        return Optional.ofNullable(meaning);
    }

    /**
     * The value as messages name it.
     *
     * @return a text such as {@code 'abc'}, {@code a list} or {@code no value}
     */
    public String described() {
        if (node instanceof Node.Mapping) {
            return "a mapping";
        }
        if (node instanceof Node.Scalar scalar) {
            return scalar.type() == Node.Scalar.Type.NULL ? "no value" : Printable.quoted(scalar.text());
        }
        return "a list";
    }

    /** A whole number of YAML 1.2's core schema: decimal with or without a sign, octal or hexadecimal. */
    private static BigInteger number(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.startsWith("0x")) {
            return new BigInteger(lower.substring(2), 16);
        }
        if (lower.startsWith("0o")) {
            return new BigInteger(lower.substring(2), 8);
        }
        return new BigInteger(lower);
    }
}
