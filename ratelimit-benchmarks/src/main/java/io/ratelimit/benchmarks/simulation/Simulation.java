package io.ratelimit.benchmarks.simulation;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.benchmarks.simulation.Findings.Figure;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * One run. Hosts with full buckets know one another; after three seconds requests begin to come, at random moments (a
 * Poisson process), and go on at the same rate until the end. Used once, by one thread.
 */
final class Simulation {

    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double HALF = 0.5;
    private static final double MOST = 0.99;
    private static final Duration TIMEOUT = Duration.ofMillis(20);

    /** A small part of a wave. */
    private static final long SAMPLE_NANOS = 50_000_000L;

    /** As the engine does. */
    private static final long SWEEP_NANOS = 30_000_000_000L;

    private final Scenario scenario;
    private final VirtualClock clock = new VirtualClock();
    private final EventQueue events = new EventQueue(clock);
    private final SplittableRandom naming;
    private final SplittableRandom timing;
    private final SplittableRandom asking;
    private final SplittableRandom restarting;
    private final SimulatedHost[] hosts;
    private final Network network;
    private final Probes probes;
    private final BucketSpec bucket;
    private final ClientIdentifier[] clients;
    private final LocalBucketStore exact = new LocalBucketStore(clock, 2_000_000);
    private final Shares hostShares;
    private final Shares bucketShares;
    private final Admissions admissions;
    private final double requestsPerSecond;

    Simulation(Scenario scenario) {
        this.scenario = scenario;
        SplittableRandom random = new SplittableRandom(scenario.seed());
        this.naming = random.split();
        this.timing = random.split();
        this.asking = random.split();
        this.restarting = random.split();
        this.hosts = new SimulatedHost[scenario.hosts()];
        this.network = new Network(scenario, events, random.split());
        this.probes = new Probes(scenario, clock, events, random.split(), hosts);
        Limit limit = new Limit(scenario.limit(), Duration.ofSeconds(1), scenario.burst(), Algorithm.TOKEN_BUCKET);
        this.bucket = new BucketSpec("simulation", "everyone", 1, List.of(limit), StorePolicy.UNSET);
        this.clients = new ClientIdentifier[scenario.buckets()];
        Arrays.setAll(clients, place -> ClientIdentifier.of("user", "client-" + place));
        this.hostShares = new Shares(scenario.hostSkew(), scenario.asked());
        this.bucketShares = new Shares(scenario.bucketSkew(), scenario.buckets());
        this.admissions = new Admissions(scenario, bucketShares);
        this.requestsPerSecond = scenario.load() * scenario.limit() * scenario.buckets();
    }

    Findings run() {
        long startNanos = System.nanoTime();
        for (int place = 0; place < hosts.length; place++) {
            hosts[place] = new SimulatedHost(place, name(), scenario.topology(), network, clock);
        }
        network.connect(Arrays.asList(hosts));
        for (SimulatedHost host : hosts) {
            begin(host);
        }
        network.tells(probes);
        probes.begin();
        events.runUntil(Probes.WARM_UP_NANOS);
        admissions.begin(clock.nanoTime());
        askNext();
        restartNext();
        events.runUntil(clock.nanoTime() + scenario.settlingNanos());
        admissions.settle();
        network.traffic().forget();
        sampleNext();
        events.runUntil(clock.nanoTime() + scenario.measuredNanos());
        probes.end();
        return findings((System.nanoTime() - startNanos) / NANOS_PER_SECOND);
    }

    private UUID name() {
        return new UUID(naming.nextLong(), naming.nextLong());
    }

    /** Each host tells at a moment of its own in each period. */
    private void begin(SimulatedHost host) {
        long period = scenario.period().toNanos();
        repeat(host, timing.nextLong(period), period, host::tell);
        repeat(host, timing.nextLong(SWEEP_NANOS), SWEEP_NANOS, host::sweep);
    }

    /** For as long as the host is there. */
    private void repeat(SimulatedHost host, long firstNanos, long periodNanos, Runnable task) {
        events.in(firstNanos, new Runnable() {
            @Override
            public void run() {
                if (hosts[host.place()] == host) {
                    task.run();
                    events.in(periodNanos, this);
                }
            }
        });
    }

    private void sampleNext() {
        admissions.sample(clock.nanoTime());
        events.in(SAMPLE_NANOS, this::sampleNext);
    }

    private void askNext() {
        events.in(untilNext(asking, requestsPerSecond), () -> {
            ask(bucketShares.next(asking), hostShares.next(asking));
            askNext();
        });
    }

    private static long untilNext(SplittableRandom random, double perSecond) {
        return (long) (-Math.log(1 - random.nextDouble()) / perSecond * NANOS_PER_SECOND);
    }

    private void ask(int place, int host) {
        ClientIdentifier client = clients[place];
        boolean passes = hosts[host].admits(client, bucket, 1);
        boolean wouldPass = exact.spend(List.of(new Charge(client, bucket, 1)), TIMEOUT)
                .toCompletableFuture()
                .join()
                .allowed();
        admissions.asked(place, host, passes, wouldPass, clock.nanoTime());
    }

    private void restartNext() {
        if (scenario.restartsPerSecond() > 0) {
            events.in(untilNext(restarting, scenario.restartsPerSecond()), () -> {
                restart(restarting.nextInt(hosts.length));
                restartNext();
            });
        }
    }

    private void restart(int place) {
        hosts[place] = new SimulatedHost(place, name(), scenario.topology(), network, clock);
        network.connect(Arrays.asList(hosts));
        begin(hosts[place]);
        probes.isReplaced(place);
    }

    private Findings findings(double seconds) {
        Map<Figure, Double> found = new EnumMap<>(Figure.class);
        Traffic traffic = network.traffic();
        double measured = scenario.measuredSeconds();
        found.put(Figure.REQUESTS, (double) admissions.askedInAll());
        found.put(Figure.LONG_RUN, admissions.longRun());
        found.put(Figure.TREND, admissions.trend());
        found.put(Figure.MOST_OF_ONE_HOST, admissions.mostOfOneHost());
        found.put(Figure.ADMITTING_HOSTS, admissions.admittingHosts());
        found.put(Figure.EXCESS, admissions.excess());
        found.put(Figure.BOUND, bound(probes.quantileNanos(MOST) / NANOS_PER_SECOND));
        found.put(Figure.ASKED_BELOW, (double) admissions.askedBelow());
        found.put(Figure.REFUSED_BELOW, (double) admissions.refusedBelow());
        found.put(Figure.MESSAGES, traffic.meanMessages() / measured);
        found.put(Figure.MOST_MESSAGES, traffic.mostMessages() / measured);
        found.put(Figure.BYTES, traffic.meanBytes() / measured);
        found.put(Figure.MOST_BYTES, traffic.mostBytes() / measured);
        found.put(Figure.PROBES, (double) probes.known());
        found.put(Figure.UNKNOWN_PROBES, (double) probes.unknown());
        found.put(Figure.MEAN_KNOWN, probes.meanUntilAllNanos() / NANOS_PER_MILLI);
        found.put(Figure.MOST_KNOWN, probes.mostUntilAllNanos() / NANOS_PER_MILLI);
        found.put(Figure.HALF_KNOW, probes.quantileNanos(HALF) / NANOS_PER_MILLI);
        found.put(Figure.P99_KNOW, probes.quantileNanos(MOST) / NANOS_PER_MILLI);
        found.put(Figure.SECONDS, seconds);
        return new Findings(found);
    }

    /**
     * What the hottest bucket may let pass too much at the beginning of an overload.
     *
     * @param delay in seconds until nearly all know: a host that misses one sum of a hot bucket hears the next one
     */
    private double bound(double delay) {
        if (Double.isNaN(delay)) {
            return Double.NaN;
        }
        double quietest = scenario.asked() < hosts.length ? 0 : hostShares.of(hosts.length - 1);
        double each = scenario.burst() + scenario.limit() * delay;
        double offeredElsewhere = admissions.mostOffered() * (1 - quietest);
        return Math.min((hosts.length - 1) * each, offeredElsewhere * delay) + hosts.length;
    }
}
