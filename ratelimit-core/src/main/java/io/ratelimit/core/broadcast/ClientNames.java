package io.ratelimit.core.broadcast;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.wire.ClientKeys;
import java.util.Arrays;

/** The names of clients under the secret of the hosts; those of busy clients are remembered. Thread-safe. */
final class ClientNames {

    private static final int MOST_REMEMBERED = 100_000;

    private final byte[] secret;
    private final ClientKeys keys;
    private final RecentNames names = new RecentNames(MOST_REMEMBERED);

    ClientNames(byte[] secret) {
        this.secret = secret.clone();
        this.keys = new ClientKeys(secret);
    }

    boolean isUnder(byte[] other) {
        return Arrays.equals(secret, other);
    }

    NamedClient of(String service, ClientIdentifier client) {
        NamedClient name = names.find(service, client);
        if (name == null) {
            name = NamedClient.of(keys.keyOf(service, client));
            names.remember(service, client, name);
        }
        return name;
    }
}
