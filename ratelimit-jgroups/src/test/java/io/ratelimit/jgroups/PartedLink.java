package io.ratelimit.jgroups;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jgroups.protocols.DISCARD;

/** A host's way to the network, which can be parted. Made by JGroups, by its name in a configuration. */
public final class PartedLink extends DISCARD {

    private static final List<PartedLink> MADE = new CopyOnWriteArrayList<>();

    public PartedLink() {
        MADE.add(this);
    }

    @Override
    public void destroy() {
        MADE.remove(this);
        super.destroy();
    }

    /** The one that was made last. */
    static PartedLink last() {
        return MADE.get(MADE.size() - 1);
    }
}
