package io.ratelimit.server.traffic;

import java.util.HashMap;
import java.util.Map;

/** Keeps equal texts once, for as long as one of them is in use. Not thread-safe. */
final class SharedTexts {

    /** A text without its characters and its place here, in bytes. */
    private static final int BARE_WEIGHT = 120;

    private final Map<String, Use> uses = new HashMap<>();
    private long bytes;

    private record Use(String text, int count) {

        Use plus(int more) {
            return new Use(text, count + more);
        }
    }

    /** The text that stands for all that are equal. */
    String take(String text) {
        Use use = uses.get(text);
        if (use == null) {
            bytes += weight(text);
            use = new Use(text, 0);
        }
        uses.put(use.text, use.plus(1));
        return use.text;
    }

    /** Gives back what was taken once. */
    void giveBack(String text) {
        if (uses.computeIfPresent(text, (same, use) -> use.count == 1 ? null : use.plus(-1)) == null) {
            bytes -= weight(text);
        }
    }

    /** How much memory the texts take, estimated from above. */
    long bytes() {
        return bytes;
    }

    /** A text takes one byte a character as long as none needs more. */
    private static boolean hasWideCharacters(String text) {
        return text.chars().anyMatch(c -> c > 0xFF);
    }

    private static int weight(String text) {
        return BARE_WEIGHT + (hasWideCharacters(text) ? 2 : 1) * text.length();
    }
}
