package io.ratelimit.core.entry;

import java.util.UUID;

/**
 * Which entry.
 *
 * @param service the service whose client it is
 * @param client the client, whose name no other service's client has
 */
public record EntryKey(String service, UUID client) {

    /** The client tells the service too. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof EntryKey that && client.equals(that.client));
    }

    @Override
    public int hashCode() {
        return client.hashCode();
    }
}
