package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.MessageBroadcaster;
import java.io.IOException;
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
    private final OtherHosts others;
    private final MessageBroadcaster broadcaster;
    private final HeardConsumption heard;
    private final Deliveries deliveries = new Deliveries();
    private @Nullable Postmark last;

    /**
     * Tells whoever hears the broadcaster.
     *
     * @param origin what this host calls itself
     * @param nanos the time
     */
    MeshTelling(long origin, ItemMaker items, OtherHosts others, MessageBroadcaster broadcaster, long nanos) {
        this.origin = origin;
        this.items = items;
        this.others = others;
        this.broadcaster = broadcaster;
        this.heard = new HeardConsumption(nanos, others.mostSums());
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
            if (!due.consumption().hasNewsSince(due.toldNanos())) {
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

    @Override
    public boolean isFor(byte[] message) {
        return !PeerNews.isOne(message);
    }

    @Override
    public void hear(byte[] message, long nanos) throws IOException {
        ConsumptionNews news = ConsumptionNews.of(message);
        if (news.origin() == origin) {
            return;
        }
        Postmark mark = news.mark();
        Delivery delivery = mark == null ? Delivery.unmarked(nanos) : deliveries.arrived(news.origin(), mark, nanos);
        for (ConsumptionNews.Item item : news.items()) {
            BucketSpec bucket = others.bucketOf(item.bucket());
            if (bucket != null) {
                others.take(bucket, item, delivery, heard.hear(news.origin(), bucket, item, delivery));
            }
        }
    }

    @Override
    public void sweep(long nanos) {
        heard.sweep(nanos);
        deliveries.sweep(nanos);
    }
}
