package io.ratelimit.server.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Text that was sent as bytes: what is stored must be what was sent, character by character. */
final class SentText {

    private SentText() {}

    /**
     * Decodes UTF-8.
     *
     * @throws IllegalArgumentException if it is another encoding
     */
    static String of(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("the body is not in UTF-8: send it in that encoding", e);
        }
    }
}
