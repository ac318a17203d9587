package io.ratelimit.benchmarks;

import io.github.bucket4j.Bucket;
import io.ratelimit.Decision;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One of many clients at random, all of whom are known before. The client's name is a fresh string each time, and
 * {@link #clientName} says what that costs: all others hold it too.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class ManyClientsBenchmark {

    private static final int RULES = 10;
    private static final String PATH = new RulesText("user", RULES, List.of()).path();

    /** The clients. */
    @State(Scope.Benchmark)
    public static class Clients {

        /** How many. */
        @Param({"1000000", "10000"})
        public int clients;

        private final AtomicInteger threads = new AtomicInteger();
        private ClientNames names;

        /** Spells the names. */
        @Setup
        public void spell() {
            names = new ClientNames(clients);
        }

        String at(int client) {
            return names.of(client);
        }

        /** Lets every client spend a token. */
        void introduceTo(ClientTable table) {
            for (int client = 0; client < clients; client++) {
                if (!table.tryAcquire(at(client))) {
                    throw new IllegalStateException("client " + client + " of " + clients + " is refused");
                }
            }
        }
    }

    /** Chooses clients, each thread its own. */
    @State(Scope.Thread)
    public static class Choice {

        private final BenchmarkRequest request = new BenchmarkRequest(PATH, "");
        private final LimitReader reader = new LimitReader();
        private SplittableRandom random;
        private Clients clients;

        /** Gives each thread a seed, the same ones for all limiters. */
        @Setup
        public void seed(Clients all) {
            random = new SplittableRandom(all.threads.incrementAndGet());
            clients = all;
        }

        String next() {
            return clients.at(random.nextInt(clients.clients));
        }

        BenchmarkRequest nextRequest() {
            return request.by(next());
        }
    }

    /** Our local store. */
    @State(Scope.Benchmark)
    public static class Store {

        private final ClientStore table = new ClientStore(TestedLimits.KEEPS_CLIENTS);

        /** Makes all clients known. */
        @Setup
        public void fill(Clients clients) {
            clients.introduceTo(table);
        }
    }

    /** The reference. */
    @State(Scope.Benchmark)
    public static class GcraMap {

        private final LimiterMap<AtomicLong> table = LimiterMap.ofGcra(TestedLimits.KEEPS_CLIENTS);

        /** Makes all clients known. */
        @Setup
        public void fill(Clients clients) {
            clients.introduceTo(table);
        }
    }

    /** Bucket4j. */
    @State(Scope.Benchmark)
    public static class Bucket4jMap {

        private final LimiterMap<Bucket> table = LimiterMap.ofBucket4j(TestedLimits.KEEPS_CLIENTS);

        /** Makes all clients known. */
        @Setup
        public void fill(Clients clients) {
            clients.introduceTo(table);
        }
    }

    /** An engine with ten rules. */
    public abstract static class Engine {

        private final RateLimitEngine engine;

        Engine(List<Limit> limits) {
            engine = RunningEngine.of(new RulesText("user", RULES, limits));
        }

        /** Makes all clients known. */
        @Setup
        public void fill(Clients clients) {
            BenchmarkRequest request = new BenchmarkRequest(PATH, "");
            clients.introduceTo(client -> allows(request.by(client)));
        }

        /** Ends the engine. */
        @TearDown
        public void stop() {
            engine.close();
        }

        boolean allows(BenchmarkRequest request) {
            return engine.limiter().allowRequest(request);
        }

        Decision decide(BenchmarkRequest request) {
            return engine.limiter().decide(request);
        }
    }

    /** An engine whose rules have one limit. */
    @State(Scope.Benchmark)
    public static class OneLimit extends Engine {

        /** Starts it. */
        public OneLimit() {
            super(List.of(TestedLimits.KEEPS_CLIENTS));
        }
    }

    /** An engine whose rules have two limits. */
    @State(Scope.Benchmark)
    public static class TwoLimits extends Engine {

        /** Starts it. */
        public TwoLimits() {
            super(List.of(TestedLimits.KEEPS_CLIENTS, TestedLimits.NEVER_REFUSES_EITHER));
        }
    }

    /** Making the client's name, which all others do too. */
    @Benchmark
    public String clientName(Choice choice) {
        return choice.next();
    }

    /** The least that can be done: one long for each client. */
    @Benchmark
    public boolean gcraInMap(GcraMap map, Choice choice) {
        return map.table.tryAcquire(choice.next());
    }

    /** Bucket4j. */
    @Benchmark
    public boolean bucket4jInMap(Bucket4jMap map, Choice choice) {
        return map.table.tryAcquire(choice.next());
    }

    /** Our local store, the client's identifier and charge made for each request. */
    @Benchmark
    public boolean ourStore(Store store, Choice choice) {
        return store.table.tryAcquire(choice.next());
    }

    /** Our whole decision among ten rules, one limit. */
    @Benchmark
    public boolean ourDecision(OneLimit engine, Choice choice) {
        return engine.allows(choice.nextRequest());
    }

    /** Our whole decision, two limits. */
    @Benchmark
    public boolean ourDecisionTwoLimits(TwoLimits engine, Choice choice) {
        return engine.allows(choice.nextRequest());
    }

    /** Our whole decision, two limits, whose states are read for headers. */
    @Benchmark
    public long ourDecisionTwoLimitsRead(TwoLimits engine, Choice choice) {
        return choice.reader.read(engine.decide(choice.nextRequest()));
    }
}
