package io.ratelimit.benchmarks.simulation;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.TimeSource;
import io.ratelimit.core.broadcast.BroadcastingBucketStore;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.HostGroup;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A host: the shipped store, and its end of the network. One that starts again is another one. */
final class SimulatedHost implements MessageBroadcaster, HostGroup {

    private static final int MOST_BUCKETS = 1_000_000;
    /** As much as JGroups carries in one datagram, sealed. */
    private static final int DATAGRAM_BYTES = 1_250;

    private static final Duration TIMEOUT = Duration.ofMillis(20);

    private final int place;
    private final UUID name;
    private final Scenario.Topology topology;
    private final Network network;
    private final LocalBucketStore local;
    private final BroadcastingBucketStore store;
    private Consumer<byte[]> listener = message -> {};

    /**
     * Starts a host.
     *
     * @param place which one it is, from 0; one that starts again has the same
     * @param name what the others know it by
     */
    SimulatedHost(int place, UUID name, Scenario.Topology topology, Network network, TimeSource clock) {
        this.place = place;
        this.name = name;
        this.topology = topology;
        this.network = network;
        this.local = new LocalBucketStore(clock, MOST_BUCKETS);
        this.store = new BroadcastingBucketStore(local, this, clock, name.getLeastSignificantBits());
    }

    int place() {
        return place;
    }

    boolean admits(ClientIdentifier client, BucketSpec bucket, long cost) {
        return ask(new Charge(client, bucket, cost)).allowed();
    }

    /** What a bucket has here. */
    long remaining(ClientIdentifier client, BucketSpec bucket) {
        Charge look = new Charge(client, bucket, 0, Charge.Kind.LOOK, 0);
        return ask(look).charges().get(0).limits().get(0).remaining();
    }

    private SpendOutcome ask(Charge charge) {
        return store.spend(List.of(charge), TIMEOUT).toCompletableFuture().join();
    }

    /** Tells others what is new here. */
    void tell() {
        store.flush();
    }

    void sweep() {
        local.sweep();
        store.sweep();
    }

    void hear(byte[] message) {
        listener.accept(message);
    }

    @Override
    public void broadcast(byte[] message) {
        network.sendToAll(this, message);
    }

    @Override
    public void send(UUID host, byte[] message) {
        network.send(this, host, message);
    }

    @Override
    public void listen(Consumer<byte[]> hears) {
        listener = hears;
    }

    @Override
    public byte[] secret() {
        return new byte[] {1, 2, 3};
    }

    @Override
    public int hosts() {
        return Math.max(1, network.names().size());
    }

    @Override
    public @Nullable HostGroup group() {
        return topology == Scenario.Topology.MESH ? null : this;
    }

    @Override
    public Topology topology() {
        return topology == Scenario.Topology.LEADER ? Topology.LEADER : Topology.GOSSIP;
    }

    @Override
    public UUID self() {
        return name;
    }

    @Override
    public List<UUID> members() {
        return network.names();
    }

    @Override
    public int mostBytes() {
        return DATAGRAM_BYTES;
    }

    @Override
    public int mostBroadcastBytes() {
        return DATAGRAM_BYTES;
    }

    @Override
    public void close() {}
}
