package io.ratelimit.core.broadcast;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.wire.ClientKeys;
import java.util.Arrays;

/** The names of clients under the secret of the hosts; those of busy clients are remembered. Thread-safe. */
final class ClientNames {

    private static final int MOST_REMEMBERED = 100_000;

    /** A client of one service. */
    private record Known(String service, ClientIdentifier client) {}

    private final byte[] secret;
    private final ClientKeys keys;
    private final Cache<Known, NamedClient> names =
            CacheBuilder.newBuilder().maximumSize(MOST_REMEMBERED).build();

    ClientNames(byte[] secret) {
        this.secret = secret.clone();
        this.keys = new ClientKeys(secret);
    }

    boolean isUnder(byte[] other) {
        return Arrays.equals(secret, other);
    }

    NamedClient of(String service, ClientIdentifier client) {
        Known known = new Known(service, client);
        NamedClient name = names.getIfPresent(known);
        if (name == null) {
            name = NamedClient.of(keys.keyOf(service, client));
            names.put(known, name);
        }
        return name;
    }
}
