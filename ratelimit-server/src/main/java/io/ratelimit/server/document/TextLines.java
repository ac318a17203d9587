package io.ratelimit.server.document;

/** A document's text, whatever its line breaks. */
record TextLines(String text) {

    /** How the text breaks lines. */
    String lineBreak() {
        return text.contains("\r\n") ? "\r\n" : "\n";
    }

    int lineStart(int offset) {
        int start = offset;
        while (start > 0 && !isBreak(text.charAt(start - 1))) {
            start--;
        }
        return start;
    }

    /** Where the line ends, its line break left out. */
    int lineEnd(int offset) {
        int end = offset;
        while (end < text.length() && !isBreak(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Where the next line begins; the end of the text where there is none. */
    int nextLine(int offset) {
        int end = lineEnd(offset);
        if (text.startsWith("\r\n", end)) {
            return end + 2;
        }
        return Math.min(end + 1, text.length());
    }

    /** Whether the rest of the line holds nothing, or a comment. */
    boolean isOver(int offset) {
        String rest = text.substring(offset, lineEnd(offset)).strip();
        return rest.isEmpty() || rest.startsWith("#");
    }

    boolean isBlank(int start, int end) {
        return text.substring(start, end).isBlank();
    }

    /** What the line is indented by. */
    String indentation(int offset) {
        int start = lineStart(offset);
        int end = start;
        while (end < text.length() && (text.charAt(end) == ' ' || text.charAt(end) == '\t')) {
            end++;
        }
        return text.substring(start, end);
    }

    /** The first place from here on that is neither blank nor in a comment. */
    int skip(int offset) {
        int place = offset;
        while (place < text.length()) {
            char c = text.charAt(place);
            if (c == '#') {
                place = lineEnd(place);
            } else if (Character.isWhitespace(c)) {
                place++;
            } else {
                break;
            }
        }
        return place;
    }

    /** The first place from here on that is not blank. */
    int skipBlanks(int offset) {
        int place = offset;
        while (place < text.length() && Character.isWhitespace(text.charAt(place))) {
            place++;
        }
        return place;
    }

    /** Where the blanks before this place begin. */
    int beforeBlanks(int offset) {
        int place = offset;
        while (place > 0 && Character.isWhitespace(text.charAt(place - 1))) {
            place--;
        }
        return place;
    }

    boolean has(char c, int offset) {
        return offset < text.length() && text.charAt(offset) == c;
    }

    String replaced(int start, int end, String by) {
        return text.substring(0, start) + by + text.substring(end);
    }

    private static boolean isBreak(char c) {
        return c == '\n' || c == '\r';
    }
}
