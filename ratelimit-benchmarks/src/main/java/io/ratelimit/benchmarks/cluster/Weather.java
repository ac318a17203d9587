package io.ratelimit.benchmarks.cluster;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** What happens at present to what hosts send one another. Thread-safe. */
final class Weather {

    private static final long SHORTEST_MILLIS = 50;
    private static final long LONGEST_MILLIS = 500;

    private final Map<Integer, Scenario.Action> hosts = new ConcurrentHashMap<>();

    void begin(Scenario.Action action, int host) {
        hosts.put(host, action);
    }

    void heal(int host) {
        hosts.remove(host);
    }

    boolean isLost(int from, int to) {
        return hosts.get(from) == Scenario.Action.MUTE
                || hosts.get(from) == Scenario.Action.CUT
                || hosts.get(to) == Scenario.Action.CUT;
    }

    long delayNanos(int from, int to) {
        boolean slow = hosts.get(from) == Scenario.Action.DELAY || hosts.get(to) == Scenario.Action.DELAY;
        return slow
                ? TimeUnit.MILLISECONDS.toNanos(
                        ThreadLocalRandom.current().nextLong(SHORTEST_MILLIS, LONGEST_MILLIS + 1))
                : 0;
    }
}
