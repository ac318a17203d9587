package io.ratelimit.core.http;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Text of a URI in which percent signs escape bytes of UTF-8. An escape that is malformed is text, and bytes that are no
 * UTF-8 are replacement characters, so that every text means something.
 *
 * @param raw the text as it was sent
 */
public record EscapedText(String raw) {

    /**
     * What the text means, in time linear in its length.
     *
     * @return the text without escapes
     */
    public String decoded() {
        if (raw.indexOf('%') < 0) {
            return raw;
        }
        byte[] sent = raw.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(sent.length);
        for (int i = 0; i < sent.length; i++) {
            int escaped = sent[i] == '%' ? escapedByte(sent, i) : -1;
            bytes.write(escaped < 0 ? sent[i] : escaped);
            i += escaped < 0 ? 0 : 2;
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    /** The byte that the escape at a percent sign stands for, or -1 where it is malformed. */
    private static int escapedByte(byte[] sent, int percent) {
        if (percent + 2 >= sent.length) {
            return -1;
        }
        int high = hexDigit(sent[percent + 1]);
        int low = hexDigit(sent[percent + 2]);
        return high < 0 || low < 0 ? -1 : high << 4 | low;
    }

    /** ASCII alone: {@link Character#digit} takes the digits of other scripts too. */
    private static int hexDigit(byte character) {
        return character < 0 ? -1 : Character.digit((char) character, 16);
    }
}
