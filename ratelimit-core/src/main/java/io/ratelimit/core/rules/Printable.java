package io.ratelimit.core.rules;

/** Makes text of strangers fit to stand in a message: short, on one line, and saying what it seems to say. */
public final class Printable {

    private static final int LONGEST_VALUE = 80;

    private Printable() {}

    /**
     * The value in quotes, escaped, and cut where it is long.
     *
     * @param value any text
     * @return the value, of 80 characters at most before it was escaped
     */
    public static String quoted(String value) {
        return "'" + escaped(shortened(value, LONGEST_VALUE)) + "'";
    }

    /**
     * The text with an ellipsis in place of what is longer than so many characters.
     *
     * @param text any text
     * @param most how many, at least 1
     * @return the text, cut between code points
     */
    public static String shortened(String text, int most) {
        if (text.length() <= most) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
        return text.substring(0, end) + "…";
    }

    /**
     * The text with control, format and line-breaking characters spelt out, so that it cannot forge a log line.
     *
     * @param text any text
     * @return the text on one line
     */
    public static String escaped(String text) {
        if (text.codePoints().noneMatch(Printable::isUnsafe)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(point -> append(escaped, point));
        return escaped.toString();
    }

    private static void append(StringBuilder escaped, int point) {
        if (isUnsafe(point)) {
            escaped.append(String.format("\\u%04x", point));
        } else {
            escaped.appendCodePoint(point);
        }
    }

    private static boolean isUnsafe(int point) {
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }
}
