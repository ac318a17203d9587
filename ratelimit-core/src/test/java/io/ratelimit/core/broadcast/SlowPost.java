package io.ratelimit.core.broadcast;

import io.ratelimit.TimeSource;
import io.ratelimit.store.MessageBroadcaster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Messages between hosts of a test that are delivered when their time has come, twice, late or not at all. */
final class SlowPost {

    private record Letter(byte[] message, long dueNanos) {}

    private final TimeSource clock;
    private final Random random;
    private final List<Station> stations = new ArrayList<>();
    private final List<Letter> letters = new ArrayList<>();
    private long slowestNanos;
    private long fixedNanos;
    private double lost;
    private double repeated;

    SlowPost(TimeSource clock, Random random) {
        this.clock = clock;
        this.random = random;
    }

    void takes(long nanos) {
        slowestNanos = nanos;
    }

    /** All that is sent from now on takes as long. */
    void takesExactly(long nanos) {
        fixedNanos = nanos;
    }

    void loses(double part) {
        lost = part;
    }

    void repeats(double part) {
        repeated = part;
    }

    Station open() {
        Station station = new Station();
        stations.add(station);
        return station;
    }

    /** Delivers what is due, in the order of the times, which is not that of the sending. */
    void deliver() {
        long now = clock.nanoTime();
        List<Letter> due = letters.stream()
                .filter(letter -> letter.dueNanos() - now <= 0)
                .sorted((one, other) -> Long.compare(one.dueNanos() - now, other.dueNanos() - now))
                .toList();
        letters.removeAll(due);
        due.forEach(letter -> stations.forEach(station -> station.receive(letter.message())));
    }

    /** A host's end. */
    final class Station implements MessageBroadcaster {

        private final List<Consumer<byte[]>> listeners = new ArrayList<>();
        private boolean cut;

        void isCut(boolean now) {
            cut = now;
        }

        private void receive(byte[] message) {
            if (!cut && random.nextDouble() >= lost) {
                listeners.forEach(listener -> listener.accept(message));
                if (random.nextDouble() < repeated) {
                    listeners.forEach(listener -> listener.accept(message));
                }
            }
        }

        @Override
        public void broadcast(byte[] message) {
            if (!cut) {
                long delay = fixedNanos + (slowestNanos == 0 ? 0 : random.nextLong(slowestNanos));
                letters.add(new Letter(message, clock.nanoTime() + delay));
            }
        }

        @Override
        public void listen(Consumer<byte[]> listener) {
            listeners.add(listener);
        }

        @Override
        public byte[] secret() {
            return new byte[] {1, 2, 3};
        }

        @Override
        public int hosts() {
            return stations.size();
        }

        @Override
        public void close() {
            stations.remove(this);
        }
    }
}
