package io.ratelimit.jgroups;

import org.jgroups.protocols.Discovery;

/** A way in which a host finds the others. Immutable. */
interface MemberSearch {

    /** JGroups' protocol for it, anew for each channel. */
    Discovery protocol();

    /** Whether hosts call into the network, which only UDP can. */
    default boolean multicasts() {
        return false;
    }
}
