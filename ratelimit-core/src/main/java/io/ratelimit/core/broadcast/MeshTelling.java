package io.ratelimit.core.broadcast;

import io.ratelimit.store.MessageBroadcaster;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Each host tells all others what was spent on it. What was new and has not grown since is told once more, since a message may
 * get lost and the client not come again.
 */
final class MeshTelling implements Telling {

    private static final long REPEAT_NANOS = 1_000_000_000L;

    /** What is told once more. */
    private record Repeat(Consumption consumption, long toldNanos) {

        private boolean isDue(long nanos) {
            return nanos - toldNanos >= REPEAT_NANOS;
        }
    }

    private final Deque<Repeat> repeats = new ArrayDeque<>();
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
        List<Consumption> telling = repeated(nanos);
        for (Consumption consumption : spent) {
            telling.add(consumption);
            repeats.add(new Repeat(consumption, nanos));
        }
        if (!telling.isEmpty()) {
            send(telling, nanos);
        }
    }

    private List<Consumption> repeated(long nanos) {
        List<Consumption> repeated = new ArrayList<>();
        while (!repeats.isEmpty() && repeats.element().isDue(nanos)) {
            Repeat due = repeats.remove();
            if (due.consumption().isStillAsTold(due.toldNanos())) {
                repeated.add(due.consumption());
            }
        }
        return repeated;
    }

    private void send(List<Consumption> telling, long nanos) {
        ConsumptionNewsWriter message = message();
        for (Consumption consumption : telling) {
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
