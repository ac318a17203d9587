package io.ratelimit.core.bucket;

import com.google.common.collect.MapMaker;
import io.ratelimit.ClientIdentifier;
import java.util.concurrent.ConcurrentMap;

/**
 * The kinds of clients that rules tell apart, each made once for all rules that use it, and how a store hashes them.
 * Thread-safe.
 */
final class ClientKinds {

    private final SipHash hash = SipHash.ofRandomKey();

    /** Kinds go with the last rule that uses them. */
    private final ConcurrentMap<String, ClientKind> byName =
            new MapMaker().weakValues().makeMap();

    /** Clients whose identifiers have a kind. */
    ClientKind of(String kind) {
        return byName.computeIfAbsent(kind, made -> ClientKind.of(made, hash));
    }

    /** One client, whatever the value. */
    ClientKind only(ClientIdentifier client) {
        return ClientKind.only(client, hash);
    }

    /** A client's fingerprint, the same as by its kind and value. */
    long fingerprint(ClientIdentifier client) {
        return BucketKey.fingerprint(hash.of(client.canonical()));
    }
}
