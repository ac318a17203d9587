package io.ratelimit.server.access;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a token; its secret is not.
 *
 * @param id its number
 * @param name who bears it: a person, a pipeline, a group of hosts; the author of what is done with it
 * @param grant what it allows
 * @param created when it was given out
 * @param createdBy the name of who gave it out
 * @param expires when it ends by itself, or null for never
 * @param revoked when it was revoked, or null while it is not
 */
public record AccessToken(
        long id,
        String name,
        Grant grant,
        Instant created,
        String createdBy,
        @Nullable Instant expires,
        @Nullable Instant revoked) {

    private static final int LONGEST_NAME = 100;

    /**
     * Whether the token may be used.
     *
     * @param now the time
     * @return false once it is revoked or has ended
     */
    public boolean isValid(Instant now) {
        return revoked == null && (expires == null || now.isBefore(expires));
    }

    /** Neither a control character nor half a character, of which no database gives back what it was given. */
    private static boolean isText(int character) {
        return !Character.isISOControl(character) && Character.getType(character) != Character.SURROGATE;
    }

    static void checkName(String name) {
        if (name.isBlank() || name.length() > LONGEST_NAME || !name.codePoints().allMatch(AccessToken::isText)) {
            throw new IllegalArgumentException("a token's name says who bears it, such as alice or build-pipeline,"
                    + " in 1 to " + LONGEST_NAME + " characters on one line");
        }
    }
}
