package io.ratelimit.core.explain;

import java.util.ArrayList;
import java.util.List;

/** Splits a described request into words at white space that does not stand in double quotes. For one use. */
public final class RequestWords {

    private final String text;
    private final List<String> words = new ArrayList<>();
    private final StringBuilder word = new StringBuilder();
    private boolean inWord;
    private boolean quoted;

    /**
     * Takes a text.
     *
     * @param text words, of which those with spaces stand in double quotes, in part or as a whole
     */
    public RequestWords(String text) {
        this.text = text;
    }

    /**
     * Splits the text.
     *
     * @return the words, without quotes
     * @throws IllegalArgumentException if a quote is open at the end
     */
    public List<String> split() {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\' && i + 1 < text.length()) {
                i++;
                word.append(text.charAt(i));
            } else if (c == '"') {
                quoted = !quoted;
                inWord = true;
            } else if (Character.isWhitespace(c) && !quoted) {
                end();
            } else {
                word.append(c);
                inWord = true;
            }
        }
        if (quoted) {
            throw new IllegalArgumentException("a quote is open at the end; close it with \"");
        }
        end();
        return words;
    }

    private void end() {
        if (inWord) {
            words.add(word.toString());
            word.setLength(0);
            inWord = false;
        }
    }
}
