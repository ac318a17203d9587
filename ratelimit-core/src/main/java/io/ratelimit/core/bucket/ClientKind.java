package io.ratelimit.core.bucket;

import io.ratelimit.ClientIdentifier;
import org.jspecify.annotations.Nullable;

/**
 * Clients that are told apart by one thing, such as their user name. Tells a client's fingerprint from the value alone:
 * the same one as from the {@link ClientIdentifier}, which need not be made then. Immutable; safe for use by any thread.
 */
public final class ClientKind {

    /** In characters; longer values are seldom, and take the way over the identifier. */
    private static final int LONGEST_PREPARED = 64;

    private static final SipHash[] NONE = {};

    private final String kind;
    private final SipHash hash;
    private final @Nullable ClientIdentifier only;

    /** The hash of what stands before a value in the canonical text, by the value's length. */
    private final SipHash[] beforeValue;

    private ClientKind(String kind, SipHash hash, @Nullable ClientIdentifier only, SipHash[] beforeValue) {
        this.kind = kind;
        this.hash = hash;
        this.only = only;
        this.beforeValue = beforeValue;
    }

    /**
     * Clients of a kind.
     *
     * @param kind the {@linkplain ClientIdentifier#kind() kind} of their identifiers
     */
    static ClientKind of(String kind, SipHash hash) {
        SipHash[] beforeValue = new SipHash[SipHash.isLatin1(kind) ? LONGEST_PREPARED + 1 : 0];
        for (int length = 1; length < beforeValue.length; length++) {
            String canonical = ClientIdentifier.of(kind, "-".repeat(length)).canonical();
            beforeValue[length] = hash.after(canonical.substring(0, canonical.length() - length));
        }
        return new ClientKind(kind, hash, null, beforeValue);
    }

    /** One client, whatever the value. */
    static ClientKind only(ClientIdentifier client, SipHash hash) {
        return new ClientKind(client.kind(), hash, client, NONE);
    }

    /**
     * The client with a value.
     *
     * @param value not empty
     * @return the client's identifier
     */
    public ClientIdentifier client(String value) {
        return only == null ? ClientIdentifier.of(kind, value) : only;
    }

    /**
     * The fingerprint of the client with a value.
     *
     * @param value not empty
     * @return a keyed hash that hardly ever two clients share
     */
    public long fingerprint(String value) {
        if (value.length() < beforeValue.length) {
            long hashed = beforeValue[value.length()].ofLatin1(value);
            if (hashed != SipHash.NOT_LATIN1) {
                return BucketKey.fingerprint(hashed);
            }
        }
        return BucketKey.fingerprint(hash.of(client(value).canonical()));
    }
}
