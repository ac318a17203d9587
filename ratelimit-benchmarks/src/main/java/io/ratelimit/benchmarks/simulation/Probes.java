package io.ratelimit.benchmarks.simulation;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long it takes until all know: from time to time a host spends a hundredth of a bucket that nothing else is spent of,
 * and each other host is looked at whenever it has heard something. A quarter of the bucket is spent first: with leaders by all
 * hosts, who then are asked again now and then, for more than they would be silent about, since those who say nothing of a
 * client are told nothing either.
 * Used by one thread.
 */
final class Probes implements Network.Listener {

    /** After so long the first probe is spent. */
    static final long WARM_UP_NANOS = 3_000_000_000L;

    private static final long SPREAD_NANOS = 1_000_000_000L;
    private static final long SHORTEST_PAUSE_NANOS = 800_000_000L;
    private static final long LONGEST_PAUSE_NANOS = 1_200_000_000L;
    private static final long GIVEN_UP_NANOS = 15_000_000_000L;
    private static final long REMINDING_NANOS = 10_000_000_000L;
    private static final long TOKENS = 1_000_000_000;
    private static final long COST = TOKENS / 100;
    private static final int MOST_OF_A_CLIENT = 40;
    private static final BucketSpec BUCKET =
            new BucketSpec("simulation", "probes", 1, List.of(Limit.of(TOKENS, Duration.ofDays(1))), StorePolicy.UNSET);

    private final Scenario scenario;
    private final VirtualClock clock;
    private final EventQueue events;
    private final RandomGenerator random;
    private final SimulatedHost[] hosts;
    private final List<Long> untilAll = new ArrayList<>();
    private final boolean[] takesPart;
    private final long[] before;
    private long[] delays = new long[1024];
    private int delayCount;
    private int clients;
    private ClientIdentifier client = ClientIdentifier.of("probe", "none");
    private @Nullable Probe current;
    private int givenUp;

    /** One that not all know of. */
    private static final class Probe {

        private final long spentNanos;
        private final boolean[] waits;
        private int waiting;

        private Probe(long nanos, boolean[] waits) {
            this.spentNanos = nanos;
            this.waits = waits;
        }
    }

    /**
     * Makes probes.
     *
     * @param hosts who is there; others may come in their places
     */
    Probes(Scenario scenario, VirtualClock clock, EventQueue events, RandomGenerator random, SimulatedHost[] hosts) {
        this.scenario = scenario;
        this.clock = clock;
        this.events = events;
        this.random = random;
        this.hosts = hosts;
        this.takesPart = new boolean[hosts.length];
        this.before = new long[hosts.length];
    }

    /** Begins with a client of whom nobody has heard. */
    void begin() {
        ClientIdentifier now = ClientIdentifier.of("probe", "client-" + clients++);
        client = now;
        Arrays.fill(takesPart, true);
        if (scenario.topology() == Scenario.Topology.LEADER) {
            for (int i = 0; i < hosts.length; i++) {
                int place = i;
                events.in(random.nextLong(SPREAD_NANOS), () -> ask(place, now, TOKENS / 4 / hosts.length));
            }
        } else {
            hosts[random.nextInt(hosts.length)].admits(client, BUCKET, TOKENS / 4);
        }
        events.in(WARM_UP_NANOS, () -> spend(MOST_OF_A_CLIENT));
    }

    /** And again, so that the host is told of the client for as long as it is probed with. */
    private void ask(int place, ClientIdentifier whom, long cost) {
        if (whom.equals(client)) {
            hosts[place].admits(whom, BUCKET, cost);
            events.in(REMINDING_NANOS, () -> ask(place, whom, TOKENS / 100 / hosts.length));
        }
    }

    private void spend(int left) {
        boolean[] waits = takesPart.clone();
        for (int i = 0; i < hosts.length; i++) {
            before[i] = waits[i] ? hosts[i].remaining(client, BUCKET) : 0;
        }
        int spender = random.nextInt(hosts.length);
        waits[spender] = false;
        Probe probe = new Probe(clock.nanoTime(), waits);
        for (boolean waiting : waits) {
            probe.waiting += waiting ? 1 : 0;
        }
        if (!hosts[spender].admits(client, BUCKET, COST)) {
            throw new IllegalStateException("a probe of " + COST + " tokens is refused: the bucket has "
                    + hosts[spender].remaining(client, BUCKET));
        }
        current = probe;
        events.in(pause(), () -> goOn(probe, left - 1));
    }

    /** Not the same moment of each period. */
    private long pause() {
        return random.nextLong(SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
    }

    /** The next one, if all know of this one. */
    private void goOn(Probe probe, int left) {
        boolean tooLate = clock.nanoTime() - probe.spentNanos >= GIVEN_UP_NANOS;
        if (probe.waiting > 0 && !tooLate) {
            events.in(pause(), () -> goOn(probe, left));
            return;
        }
        end();
        if (left > 0 && !tooLate) {
            spend(left);
        } else {
            begin();
        }
    }

    /** Gives up on those who do not know of the current one, unless it was spent just now. They count with the time so far. */
    void end() {
        Probe probe = current;
        current = null;
        if (probe == null || probe.waiting == 0) {
            return;
        }
        long age = clock.nanoTime() - probe.spentNanos;
        if (age >= SHORTEST_PAUSE_NANOS) {
            givenUp++;
            untilAll.add(age);
            for (int i = 0; i < probe.waiting; i++) {
                knew(age);
            }
        }
    }

    private void knew(long delayNanos) {
        if (delayCount == delays.length) {
            delays = Arrays.copyOf(delays, 2 * delayCount);
        }
        delays[delayCount++] = delayNanos;
    }

    @Override
    public void heard(SimulatedHost host) {
        Probe probe = current;
        if (probe == null || !probe.waits[host.place()] || hosts[host.place()] != host) {
            return;
        }
        if (host.remaining(client, BUCKET) <= before[host.place()] - COST / 2) {
            long delay = clock.nanoTime() - probe.spentNanos;
            knew(delay);
            isDone(probe, host.place());
            if (probe.waiting == 0) {
                untilAll.add(delay);
            }
        }
    }

    /** Another host is there, which has not heard of any client. */
    void isReplaced(int place) {
        takesPart[place] = false;
        if (current != null && current.waits[place]) {
            isDone(current, place);
        }
    }

    private static void isDone(Probe probe, int place) {
        probe.waits[place] = false;
        probe.waiting--;
    }

    /** How many all knew of. */
    int known() {
        return untilAll.size() - givenUp;
    }

    /** How many some hosts did not know of in 15 seconds, or at the end. */
    int unknown() {
        return givenUp;
    }

    /** How long it took until all knew, on average; at least, where some did not know. */
    double meanUntilAllNanos() {
        return untilAll.stream().mapToLong(Long::longValue).average().orElse(Double.NaN);
    }

    double mostUntilAllNanos() {
        return untilAll.stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    /** In how long a part of all hosts knew, over all probes; at least, where some did not know. */
    double quantileNanos(double part) {
        long[] sorted = Arrays.copyOf(delays, delayCount);
        Arrays.sort(sorted);
        return delayCount == 0 ? Double.NaN : sorted[(int) Math.ceil(part * delayCount) - 1];
    }
}
