package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.algorithm.Moment;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The local table while clients come and go: whatever it moves, each client has what a map would keep for him. */
class ManyClientsTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final int OPERATIONS = Integer.getInteger("table.operations", 300_000);

    private final ManualTimeSource clock = new ManualTimeSource(77);
    private final LocalBucketStore store = new LocalBucketStore(clock, 1_000_000);

    /** What an algorithm by itself says, with a state for each client who has one. */
    private final class Model {

        private final List<LimitAlgorithm> algorithms;
        private final Map<Integer, long[][]> states = new HashMap<>();
        private final long origin;

        Model(List<Limit> limits, long origin) {
            this.algorithms = limits.stream().map(LimitAlgorithm::of).toList();
            this.origin = origin;
        }

        List<LimitState> spend(int client, long cost) {
            Moment now = new Moment(clock.nanoTime() - origin, clock.currentTimeMillis());
            long[][] state = states.computeIfAbsent(
                    client, made -> each(i -> algorithms.get(i).full(now)));
            long[] waits = new long[algorithms.size()];
            boolean admitted = true;
            for (int i = 0; i < waits.length; i++) {
                waits[i] = algorithms.get(i).waitNanos(state[i], now, cost);
                admitted &= waits[i] == 0;
            }
            if (admitted && cost > 0) {
                long[][] before = state;
                state = each(i -> algorithms.get(i).spend(before[i], now, cost));
            } else if (!admitted) {
                long[][] before = state;
                state = each(i -> waits[i] == 0 ? before[i] : algorithms.get(i).refuse(before[i], now, cost));
            }
            states.put(client, state);
            List<LimitState> said = new ArrayList<>();
            for (int i = 0; i < waits.length; i++) {
                said.add(algorithms.get(i).describe(state[i], now, waits[i]));
            }
            return said;
        }

        private long[][] each(IntFunction<long[]> made) {
            long[][] all = new long[algorithms.size()][];
            Arrays.setAll(all, made);
            return all;
        }
    }

    @Test
    void eachClientHasWhatAMapWouldKeepForHim() {
        List<List<Limit>> rules = List.of(
                List.of(Limit.of(5, MINUTE)),
                List.of(Limit.of(7, MINUTE), Limit.of(20, Duration.ofHours(1))),
                List.of(new Limit(5, MINUTE, 5, Algorithm.SLIDING_WINDOW_LOG)),
                List.of(new Limit(5, MINUTE, 5, Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(4))),
                List.of(new Limit(5, MINUTE, 5, Algorithm.SLIDING_WINDOW_COUNTER, LimitOptions.NONE.withPrecision(60))),
                List.of(Limit.of(9, MINUTE).with(LimitOptions.NONE.withMinInterval(Duration.ofSeconds(2)))));
        Random random = new Random(1);
        List<Model> models = new ArrayList<>();
        List<BucketSpec> specs = new ArrayList<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            models.add(new Model(rules.get(rule), 77));
            specs.add(spec("rule-" + rule, 1, rules.get(rule)));
        }
        for (int i = 0; i < OPERATIONS; i++) {
            int rule = random.nextInt(rules.size());
            // Few clients come often, most seldom.
            int client = random.nextInt(1 + random.nextInt(20_000));
            long cost = random.nextInt(4);
            List<LimitState> expected = models.get(rule).spend(client, cost);
            assertThat(spend(client, specs.get(rule), cost).charges().get(0).limits())
                    .as("operation %s: client %s under rule %s", i, client, rule)
                    .isEqualTo(expected);
            if (random.nextInt(10) == 0) {
                clock.advanceNanos(random.nextInt(50_000_000));
            }
            if (random.nextInt(OPERATIONS / 30) == 0) {
                clock.advance(Duration.ofSeconds(random.nextInt(90)));
                store.sweep();
            }
            if (random.nextInt(OPERATIONS / 10) == 0) {
                int reloaded = rule;
                specs.set(rule, spec("rule-" + rule, specs.get(rule).version() + 1, rules.get(reloaded)));
            }
        }
        clock.advance(Duration.ofDays(1));
        store.sweep();
        assertThat(store.size()).isZero();
    }

    @Test
    void growsAndShrinksWithItsClients() {
        BucketSpec spec = spec("everyone", 1, List.of(Limit.of(10, MINUTE)));
        for (int client = 0; client < 50_000; client++) {
            spend(client, spec, 1 + client % 10);
        }
        assertThat(store.size()).isEqualTo(50_000);
        for (int client = 0; client < 50_000; client += 7) {
            assertThat(remaining(spend(client, spec, 0))).isEqualTo(9 - client % 10);
        }
        clock.advance(Duration.ofSeconds(30));
        store.sweep();
        // Those who spent at most 5 have them back.
        assertThat(store.size()).isEqualTo(25_000);
        for (int client = 0; client < 50_000; client += 7) {
            assertThat(remaining(spend(client, spec, 0))).isEqualTo(Math.min(10, 14 - client % 10));
        }
        clock.advance(Duration.ofSeconds(60));
        store.sweep();
        assertThat(store.size()).isZero();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyLosesOrGainsATokenWhileThreadsMoveTheTable(boolean oneLimit) throws Exception {
        int clients = 3_000;
        int limit = 4;
        List<Limit> limits = oneLimit
                ? List.of(Limit.of(limit, Duration.ofHours(1)))
                : List.of(Limit.of(limit, Duration.ofHours(1)), Limit.of(100, Duration.ofDays(1)));
        AtomicIntegerArray admitted = new AtomicIntegerArray(clients);
        inParallel(4, thread -> {
            Random random = new Random(thread);
            List<Integer> turns = new ArrayList<>();
            for (int i = 0; i < clients * 3; i++) {
                turns.add(i % clients);
            }
            Collections.shuffle(turns, random);
            int version = 1;
            for (int client : turns) {
                if (spend(client, spec("everyone", version, limits), 1).allowed()) {
                    admitted.incrementAndGet(client);
                }
                if (random.nextInt(400) == 0) {
                    version++;
                    store.sweep();
                }
            }
        });
        for (int client = 0; client < clients; client++) {
            assertThat(admitted.get(client)).isEqualTo(limit);
        }
    }

    @Test
    void requestsThatHoldSeveralBucketsDoNotWaitForEachOtherForEver() throws Exception {
        int clients = 400;
        BucketSpec one = spec("one", 1, List.of(Limit.of(1_000_000, MINUTE)));
        BucketSpec two = spec("two", 1, List.of(Limit.of(1_000_000, MINUTE), Limit.of(2_000_000, Duration.ofHours(1))));
        int rounds = 3_000;
        inParallel(4, thread -> {
            Random random = new Random(thread);
            for (int i = 0; i < rounds; i++) {
                List<Charge> charges = new ArrayList<>();
                int first = random.nextInt(clients);
                for (int j = 0; j < 3; j++) {
                    charges.add(new Charge(client((first + j * 37) % clients), random.nextBoolean() ? one : two, 1));
                }
                assertThat(store.spend(charges, TIMEOUT)
                                .toCompletableFuture()
                                .join()
                                .allowed())
                        .isTrue();
                // Newcomers who make the segments grow, and full ones who make them shrink
                spend(1_000_000 * (thread + 1) + i, random.nextBoolean() ? one : two, random.nextInt(2));
                if (i % 50 == 0) {
                    store.sweep();
                }
            }
        });
        long left = 0;
        for (int client = 0; client < clients; client++) {
            left += 1_000_000 - remaining(spend(client, one, 0)) + 1_000_000 - remaining(spend(client, two, 0));
        }
        assertThat(left).isEqualTo(4L * rounds * 3);
    }

    private interface Work {
        void run(int thread) throws Exception;
    }

    private static void inParallel(int threads, Work work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<Object>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                Callable<Object> task = () -> {
                    work.run(thread);
                    return thread;
                };
                running.add(pool.submit(task));
            }
            for (Future<Object> one : running) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private SpendOutcome spend(int client, BucketSpec spec, long cost) {
        return store.spend(List.of(new Charge(client(client), spec, cost)), TIMEOUT)
                .toCompletableFuture()
                .join();
    }

    private static long remaining(SpendOutcome outcome) {
        ChargeOutcome first = Objects.requireNonNull(outcome.charges().get(0));
        return first.limits().get(0).remaining();
    }

    private static ClientIdentifier client(int number) {
        return ClientIdentifier.of("user", "user-" + number);
    }

    private static BucketSpec spec(String name, long version, List<Limit> limits) {
        return new BucketSpec("orders", name, version, limits, StorePolicy.UNSET);
    }
}
