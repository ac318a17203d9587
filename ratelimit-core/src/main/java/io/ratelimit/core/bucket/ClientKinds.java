package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import io.ratelimit.ClientIdentifier;
import java.util.concurrent.ConcurrentMap;

/**
 * The kinds of clients that rules tell apart, each made once for all rules that use it, and how a store hashes them: by a
 * key of its own, so that nobody can choose clients of one fingerprint. Thread-safe.
 */
public final class ClientKinds {

    private final SipHash hash = SipHash.ofRandomKey();

    /** Kinds go with the last rule that uses them. */
    private final ConcurrentMap<String, ClientKind> byName =
            new MapMaker().weakValues().makeMap();

    /**
     * Clients whose identifiers have a kind.
     *
     * @param kind the {@linkplain ClientIdentifier#kind() kind}
     * @return these clients
     */
    public ClientKind of(String kind) {
        return byName.computeIfAbsent(kind, made -> ClientKind.of(made, hash));
    }

    /**
     * One client, whatever the value.
     *
     * @param client the client
     * @return the client alone
     */
    public ClientKind only(ClientIdentifier client) {
        return ClientKind.only(client, hash);
    }

    /**
     * A client's fingerprint.
     *
     * @param client the client
     * @return the same as by its kind and value
     */
    public long fingerprint(ClientIdentifier client) {
        return BucketKey.fingerprint(hash.of(client.canonical()));
    }
}
