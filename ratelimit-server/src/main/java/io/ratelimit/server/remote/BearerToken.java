package io.ratelimit.server.remote;

import java.util.regex.Pattern;

/**
 * What a caller proves itself by.
 *
 * @param text what is sent, visible ASCII
 */
public record BearerToken(String text) {

    private static final Pattern VISIBLE = Pattern.compile("[!-~]{1,1000}");

    /**
     * Checks that a header can hold it.
     *
     * @throws IllegalArgumentException if it cannot; the message does not repeat it
     */
    public BearerToken {
        if (!VISIBLE.matcher(text).matches()) {
            throw new IllegalArgumentException("a token is 1 to 1000 visible ASCII characters, such as rlt_…");
        }
    }

    /** Never the text: it must not get into a log. */
    @Override
    public String toString() {
        return "BearerToken";
    }
}
