package io.ratelimit.jgroups;

import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A group of hosts, which has no place for buckets but the hosts' own. Thread-safe. */
final class GroupStore implements BucketStore {

    private final GroupBroadcaster broadcaster;

    GroupStore(GroupBroadcaster broadcaster) {
        this.broadcaster = broadcaster;
    }

    @Override
    public boolean onlyBroadcasts() {
        return true;
    }

    @Override
    public CompletionStage<SpendOutcome> spend(List<Charge> charges, Duration timeout) {
        return CompletableFuture.failedFuture(none());
    }

    @Override
    public CompletionStage<Void> refund(Receipt receipt, long tokens) {
        return CompletableFuture.failedFuture(none());
    }

    private static UnsupportedOperationException none() {
        return new UnsupportedOperationException("a group keeps no buckets");
    }

    @Override
    public int hosts() {
        return broadcaster.hosts();
    }

    @Override
    public MessageBroadcaster broadcaster() {
        return broadcaster;
    }

    @Override
    public void close() {
        broadcaster.close();
    }
}
