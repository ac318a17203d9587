package io.ratelimit.core.http;

import io.ratelimit.RefusalBody;
import io.ratelimit.RefusedRequest;
import java.util.List;

/**
 * The forms of refusals that need no code. A client that prefers {@code text/plain} gets the message alone; one that
 * accepts neither form gets JSON.
 */
public enum AnswerForm {
    /** Problem details (RFC 9457). */
    PROBLEM("problem", "application/problem+json") {
        @Override
        String json(RefusedRequest refused) {
            return Problem.of(refused).toJson();
        }
    },
    /** An object {@code error} with a code, a message and a context. */
    ENVELOPE("envelope", "application/json") {
        @Override
        String json(RefusedRequest refused) {
            return Envelope.of(refused).toJson();
        }
    };

    private static final String TEXT = "text/plain;charset=utf-8";

    private final String word;
    private final String contentType;

    AnswerForm(String word, String contentType) {
        this.word = word;
        this.contentType = contentType;
    }

    /** The value that settings use. */
    String word() {
        return word;
    }

    RefusalBody respond(RefusedRequest refused) {
        String type = refused.chooseType(List.of(contentType, TEXT)).orElse(contentType);
        String text = type.equals(TEXT) ? refused.message() + "\n" : json(refused);
        return RefusalBody.of(type, text).in(refused.locale());
    }

    abstract String json(RefusedRequest refused);
}
