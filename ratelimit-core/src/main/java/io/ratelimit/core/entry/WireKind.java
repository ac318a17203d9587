package io.ratelimit.core.entry;

import io.ratelimit.store.Charge;
import java.io.IOException;

/** The kind of a charge as a part of a message. */
final class WireKind {

    private WireKind() {}

    /** Not the place in the enumeration, which may change. */
    static int codeOf(Charge.Kind kind) {
        return switch (kind) {
            case BINDING -> 0;
            case MORE -> 1;
            case SHADOW -> 2;
            case LOOK -> 3;
            case LATE -> 4;
        };
    }

    static Charge.Kind ofCode(int code) throws IOException {
        for (Charge.Kind kind : Charge.Kind.values()) {
            if (codeOf(kind) == code) {
                return kind;
            }
        }
        throw new IOException("a host sends a charge of a kind, number " + code
                + ", that this one does not know: all hosts need the same version of ratelimit");
    }
}
