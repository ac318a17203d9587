package io.ratelimit.core.broadcast;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.HostGroup;
import io.ratelimit.store.MessageBroadcaster;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Hosts of a test that tell one another one by one, over a network that loses, repeats and delays. Time is the test's. */
final class SlowGroup {

    private static final Duration TIMEOUT = Duration.ofMillis(20);
    private static final long PERIOD_NANOS = 50_000_000L;

    /** As in the product, each host in its own moment. */
    private static final long SWEEP_NANOS = 30_000_000_000L;

    private final ManualTimeSource clock = new ManualTimeSource(-9_000_000_000L);
    private final Random random;
    private final HostGroup.Topology topology;
    private final Map<UUID, Host> hosts = new LinkedHashMap<>();
    private final PriorityQueue<Letter> letters;
    private final long start = clock.nanoTime();
    private @Nullable List<byte[]> overheard;
    private double lost;
    private double repeated;
    private long slowestNanos = 2_000_000L;
    private long sent;
    private int longest;

    private record Letter(UUID from, UUID to, byte[] message, long sinceStart) {}

    SlowGroup(HostGroup.Topology topology, long seed) {
        this.topology = topology;
        this.random = new Random(seed);
        this.letters = new PriorityQueue<>(Comparator.comparingLong(Letter::sinceStart));
    }

    SlowGroup loses(double part) {
        lost = part;
        return this;
    }

    SlowGroup repeats(double part) {
        repeated = part;
        return this;
    }

    SlowGroup takesUpTo(Duration slowest) {
        slowestNanos = slowest.toNanos();
        return this;
    }

    List<Host> open(int count) {
        List<Host> opened = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            UUID name = new UUID(random.nextLong(), random.nextLong());
            Host host = new Host(name);
            hosts.put(name, host);
            opened.add(host);
        }
        lookAround();
        return opened;
    }

    /** It is gone, and all others know. */
    void leaves(Host host) {
        hosts.remove(host.name);
        lookAround();
    }

    /** All see who is there, but for the other side of a split. */
    void lookAround() {
        for (Host host : hosts.values()) {
            host.present = hosts.values().stream()
                    .filter(other -> other.side == host.side)
                    .map(other -> other.name)
                    .toList();
        }
    }

    /** Lets time pass; hosts tell one another each in its own moment of a period. */
    void pass(Duration time) {
        pass(time, Duration.ofNanos(PERIOD_NANOS), () -> {});
    }

    /** Lets time pass, and does something at regular times. */
    void pass(Duration time, Duration step, Runnable each) {
        long end = clock.nanoTime() + time.toNanos();
        long next = clock.nanoTime();
        while (end - clock.nanoTime() > 0) {
            if (clock.nanoTime() - next >= 0) {
                each.run();
                next += step.toNanos();
            }
            clock.advance(Duration.ofMillis(1));
            deliver();
            List.copyOf(hosts.values()).forEach(Host::live);
        }
    }

    private void deliver() {
        long now = clock.nanoTime() - start;
        for (Letter next = letters.peek(); next != null && next.sinceStart() <= now; next = letters.peek()) {
            letters.remove();
            Host to = hosts.get(next.to());
            Host from = hosts.get(next.from());
            if (to != null && (from == null || from.side == to.side)) {
                to.hear(next.message());
            }
        }
    }

    double messagesPerHost() {
        return (double) sent / hosts.size();
    }

    int longestMessage() {
        return longest;
    }

    /** All that is sent from now on, as it is sent. */
    List<byte[]> overhears() {
        overheard = new ArrayList<>();
        return overheard;
    }

    /** Time passes, and nobody does anything meanwhile. */
    void jumps(Duration time) {
        clock.advance(time);
    }

    void forgetTraffic() {
        sent = 0;
        longest = 0;
    }

    /** A host. */
    final class Host implements MessageBroadcaster, HostGroup {

        private final UUID name;
        private final List<Consumer<byte[]>> listeners = new ArrayList<>();
        private final BroadcastingBucketStore store;
        private List<UUID> present = List.of();
        private final List<byte[]> waiting = new ArrayList<>();
        private int side;
        private boolean frozen;
        private Runnable interruption = () -> {};
        private long dueNanos = clock.nanoTime() + random.nextLong(PERIOD_NANOS);
        private long sweepNanos = clock.nanoTime() + random.nextLong(SWEEP_NANOS);

        private Host(UUID name) {
            this.name = name;
            this.store = new BroadcastingBucketStore(
                    new LocalBucketStore(clock, 10_000), this, clock, name.getLeastSignificantBits());
        }

        private void hear(byte[] message) {
            if (frozen) {
                waiting.add(message);
            } else {
                receive(message);
            }
        }

        private void live() {
            if (frozen || clock.nanoTime() - dueNanos < 0) {
                return;
            }
            dueNanos = clock.nanoTime() + PERIOD_NANOS;
            store.flush();
            if (clock.nanoTime() - sweepNanos >= 0) {
                sweepNanos += SWEEP_NANOS;
                store.sweep();
            }
        }

        /** It knows of some only. */
        void sees(Predicate<Host> who) {
            present = hosts.values().stream().filter(who).map(host -> host.name).toList();
        }

        void isFrozen(boolean now) {
            frozen = now;
            waiting.forEach(this::receive);
            waiting.clear();
        }

        /** What happens once while it tells the others. */
        void interruptedBy(Runnable once) {
            interruption = () -> {
                interruption = () -> {};
                once.run();
            };
        }

        /** It is parted from all that are on another side. */
        void isOn(int other) {
            side = other;
        }

        boolean admits(ClientIdentifier client, BucketSpec bucket) {
            return spend(client, bucket, 1).allowed();
        }

        SpendOutcome spend(ClientIdentifier client, BucketSpec bucket, long cost) {
            return store.spend(List.of(new Charge(client, bucket, cost)), TIMEOUT)
                    .toCompletableFuture()
                    .join();
        }

        void giveBack(SpendOutcome spent, long tokens) {
            store.refund(Objects.requireNonNull(spent.charges().get(0).receipt()), tokens)
                    .toCompletableFuture()
                    .join();
        }

        long remaining(ClientIdentifier client, BucketSpec bucket) {
            return spend(client, bucket, 0).charges().get(0).limits().get(0).remaining();
        }

        @Override
        public void send(UUID host, byte[] message) {
            sent++;
            longest = Math.max(longest, message.length);
            if (overheard != null) {
                overheard.add(message);
            }
            if (random.nextDouble() < lost) {
                return;
            }
            int times = random.nextDouble() < repeated ? 2 : 1;
            for (int i = 0; i < times; i++) {
                long due = clock.nanoTime() - start + 100_000L + random.nextLong(slowestNanos);
                letters.add(new Letter(name, host, message, due));
            }
        }

        /** As a foreign host's message comes. */
        void receive(byte[] message) {
            listeners.forEach(listener -> listener.accept(message));
        }

        @Override
        public Topology topology() {
            return topology;
        }

        @Override
        public UUID self() {
            return name;
        }

        @Override
        public List<UUID> members() {
            return present;
        }

        @Override
        public HostGroup group() {
            return this;
        }

        @Override
        public void broadcast(byte[] message) {
            throw new AssertionError("nobody tells everybody");
        }

        @Override
        public void listen(Consumer<byte[]> listener) {
            listeners.add(listener);
        }

        @Override
        public byte[] secret() {
            interruption.run();
            return new byte[] {1, 2, 3};
        }

        @Override
        public int hosts() {
            return present.size();
        }

        @Override
        public void close() {}
    }
}
