package io.ratelimit.core.rules;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Guesses which of the known words a misspelt one was meant to be, by edit distance (optimal string alignment). */
public final class NearestWord {

    /** A longer word is no misspelling; the bound keeps the guess cheap. */
    private static final int LONGEST = 40;

    private NearestWord() {}

    /**
     * The hint {@code ; did you mean 'x'?}.
     *
     * @param word the word as written
     * @param known the words that are known
     * @return the hint, or an empty text where no known word is near
     */
    public static String hint(String word, Collection<String> known) {
        return among(word, known)
                .map(nearest -> "; did you mean '" + nearest + "'?")
                .orElse("");
    }

    /** The nearest known word, if at least half of it is as written. */
    static Optional<String> among(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return Optional.empty();
        }
        String written = word.toLowerCase(Locale.ROOT);
        String nearest = null;
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(written, candidate.toLowerCase(Locale.ROOT));
            if (distance < least && distance * 2 <= candidate.length()) {
                least = distance;
                nearest = candidate;
            }
        }
        return Optional.ofNullable(nearest);
    }

    private static int distance(String from, String to) {
        int[] beforePrevious = new int[to.length() + 1];
        int[] previous = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int[] current = new int[to.length() + 1];
            current[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = previous[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
                if (isSwap(from, i, to, j)) {
                    current[j] = Math.min(current[j], beforePrevious[j - 2] + 1);
                }
            }
            beforePrevious = previous;
            previous = current;
        }
        return previous[to.length()];
    }

    private static boolean isSwap(String from, int i, String to, int j) {
        return i > 1 && j > 1 && from.charAt(i - 1) == to.charAt(j - 2) && from.charAt(i - 2) == to.charAt(j - 1);
    }
}
