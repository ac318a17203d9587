package io.ratelimit.core.broadcast;

import io.ratelimit.store.MessageBroadcaster;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Each host tells all others what was spent on it. */
final class MeshTelling implements Telling {

    private final long origin;
    private final ItemMaker items;
    private final MessageBroadcaster broadcaster;
    private @Nullable Postmark last;

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
        if (spent.isEmpty()) {
            return;
        }
        ConsumptionNewsWriter message = message();
        for (Consumption consumption : spent) {
            ConsumptionNews.Item item = items.of(consumption, nanos);
            if (!message.add(item)) {
                send(message, nanos);
                message = message();
                message.add(item);
            }
        }
        send(message, nanos);
    }

    private ConsumptionNewsWriter message() {
        return new ConsumptionNewsWriter(origin, broadcaster.mostBroadcastBytes());
    }

    private void send(ConsumptionNewsWriter message, long nanos) {
        Postmark mark = Postmark.after(last, nanos);
        last = mark;
        broadcaster.broadcast(message.toBytes(mark));
    }

    /** Nobody tells a single host anything. */
    @Override
    public void hear(byte[] message, long nanos) {}

    @Override
    public void sweep(long nanos) {}
}
