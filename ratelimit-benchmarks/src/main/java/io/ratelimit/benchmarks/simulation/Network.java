package io.ratelimit.benchmarks.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Carries messages between hosts, and loses, delays and repeats them. Who is there is known to all at once. Used by one
 * thread.
 */
final class Network {

    private final Scenario scenario;
    private final EventQueue events;
    private final RandomGenerator random;
    private final Map<UUID, SimulatedHost> byName = new HashMap<>();
    private final Traffic traffic;
    private List<UUID> names = List.of();
    private @Nullable Listener listener;

    /** Hears that a host has heard something. */
    interface Listener {

        /**
         * A message has come.
         *
         * @param host where
         */
        void heard(SimulatedHost host);
    }

    Network(Scenario scenario, EventQueue events, RandomGenerator random) {
        this.scenario = scenario;
        this.events = events;
        this.random = random;
        this.traffic = new Traffic(scenario.hosts());
    }

    void tells(Listener of) {
        listener = of;
    }

    Traffic traffic() {
        return traffic;
    }

    /** Those who are there: the same list until they change. */
    List<UUID> names() {
        return names;
    }

    /** These are there now, and no others. */
    void connect(List<SimulatedHost> hosts) {
        byName.clear();
        List<UUID> present = new ArrayList<>(hosts.size());
        for (SimulatedHost host : hosts) {
            byName.put(host.self(), host);
            present.add(host.self());
        }
        names = List.copyOf(present);
    }

    void send(SimulatedHost from, UUID to, byte[] message) {
        traffic.sent(from.place(), message.length);
        SimulatedHost host = byName.get(to);
        if (host != null) {
            carry(host, message);
        }
    }

    void sendToAll(SimulatedHost from, byte[] message) {
        for (UUID name : names) {
            if (!name.equals(from.self())) {
                send(from, name, message);
            }
        }
    }

    private void carry(SimulatedHost to, byte[] message) {
        if (random.nextDouble() < scenario.loss()) {
            return;
        }
        int times = random.nextDouble() < scenario.repeats() ? 2 : 1;
        for (int i = 0; i < times; i++) {
            long spread = scenario.maxDelayNanos() - scenario.minDelayNanos();
            events.in(scenario.minDelayNanos() + random.nextLong(spread + 1), () -> deliver(to, message));
        }
    }

    private void deliver(SimulatedHost to, byte[] message) {
        to.hear(message);
        if (listener != null) {
            listener.heard(to);
        }
    }
}
