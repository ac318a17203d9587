package io.ratelimit.jgroups;

import java.util.UUID;
import org.jgroups.Address;
import org.jspecify.annotations.Nullable;

/** What a host is called: JGroups' addresses are random numbers, as ours are. */
final class MemberName {

    private static final UUID UNKNOWN = new UUID(0, 0);

    private MemberName() {}

    /** The name of an address; the same for all that JGroups did not draw. */
    static UUID of(@Nullable Address address) {
        return address instanceof org.jgroups.util.UUID uuid
                ? new UUID(uuid.getMostSignificantBits(), uuid.getLeastSignificantBits())
                : UNKNOWN;
    }

    static Address address(UUID name) {
        return new org.jgroups.util.UUID(name.getMostSignificantBits(), name.getLeastSignificantBits());
    }
}
