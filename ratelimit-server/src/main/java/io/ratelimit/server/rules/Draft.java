package io.ratelimit.server.rules;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Rules that were found valid and are about to be published.
 *
 * @param service whose rules
 * @param text the document
 * @param ruleCount how many rules it has
 * @param comment why it is published; may be empty
 * @param restoredFrom the number of the version whose text this is, or null
 */
public record Draft(
        ServiceName service,
        String text,
        int ruleCount,
        String comment,
        @Nullable Long restoredFrom) {

    /** The longest comment, in characters. */
    public static final int LONGEST_COMMENT = 1_000;

    /**
     * Checks the comment.
     *
     * @throws IllegalArgumentException if it is too long, or holds control characters other than line breaks
     */
    public Draft {
        if (comment.chars().anyMatch(c -> Character.isISOControl(c) && "\r\n\t".indexOf(c) < 0)) {
            throw new IllegalArgumentException("the comment holds control characters: write text");
        }
        if (comment.length() > LONGEST_COMMENT) {
            throw new IllegalArgumentException(
                    "the comment has " + comment.length() + " characters: it may have " + LONGEST_COMMENT + " at most");
        }
    }

    String hash() {
        return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString();
    }
}
