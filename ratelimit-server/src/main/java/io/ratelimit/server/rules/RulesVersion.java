package io.ratelimit.server.rules;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one publication beside its text.
 *
 * @param service whose rules
 * @param number counts the publications of the service, from 1
 * @param published when; grows with each publication of the service, by a millisecond at least
 * @param author the name of the token that published
 * @param comment why, in the author's words; may be empty
 * @param ruleCount how many rules there are
 * @param hash the SHA-256 of the text in UTF-8, in hex
 * @param restoredFrom the number of the version whose text this is, or null where the text was given
 */
public record RulesVersion(
        ServiceName service,
        long number,
        Instant published,
        String author,
        String comment,
        int ruleCount,
        String hash,
        @Nullable Long restoredFrom) {

    private static final int HASH_IN_TAG = 8;

    /**
     * What the text is recognised by: the number, and a part of the hash, so that databases that went different ways from
     * a backup do not take one's version for the other's.
     *
     * @return an entity tag of HTTP without its quotes, such as {@code 17-3fb2c1d0}
     */
    @JsonProperty
    public String tag() {
        return number + "-" + hash.substring(0, HASH_IN_TAG);
    }
}
