package io.ratelimit.core.broadcast;

import io.ratelimit.store.MessageBroadcaster;
import java.util.ArrayList;
import java.util.List;

/** Each host tells all others what was spent on it. */
final class MeshTelling implements Telling {

    private static final int MOST_ITEMS = 500;

    private final long origin;
    private final ItemMaker items;
    private final MessageBroadcaster broadcaster;
    private long sent;

    /**
     * Tells whoever hears the broadcaster.
     *
     * @param origin what this host calls itself
     */
    MeshTelling(long origin, ItemMaker items, MessageBroadcaster broadcaster) {
        this.origin = origin;
        this.items = items;
        this.broadcaster = broadcaster;
    }

    @Override
    public void tell(List<Consumption> spent, long nanos) {
        for (int from = 0; from < spent.size(); from += MOST_ITEMS) {
            List<ConsumptionNews.Item> told = new ArrayList<>();
            for (Consumption consumption : spent.subList(from, Math.min(spent.size(), from + MOST_ITEMS))) {
                told.add(items.of(consumption, nanos));
            }
            broadcaster.broadcast(new ConsumptionNews(origin, new Postmark(sent++, nanos), told).toBytes());
        }
    }

    /** Nobody tells a single host anything. */
    @Override
    public void hear(byte[] message, long nanos) {}

    @Override
    public void sweep(long nanos) {}
}
