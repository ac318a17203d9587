package io.ratelimit.core.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Rules whose names come and go, as callers make them. */
class ForgottenRulesTest {

    private static final Limit LIMIT = Limit.of(10, Duration.ofMinutes(1));

    private final ManualTimeSource time = new ManualTimeSource(7);

    @Test
    void aRuleWithoutBucketsIsForgottenWithThem() {
        TokenBucketCache cache = new TokenBucketCache(10_000);
        StoreClock clock = new StoreClock(time);
        LearnedLimits learned = new LearnedLimits();
        CompiledSpec spec = CompiledSpec.of(1, List.of(LIMIT), limit -> learned.algorithm("any", limit));
        for (int i = 0; i < 100; i++) {
            cache.prepare(new BucketKey("rule-" + i, 2), spec, false, clock.now());
        }
        assertThat(cache.rules()).isEqualTo(100);

        cache.sweep(clock.now());

        assertThat(cache.rules()).isZero();
        cache.prepare(new BucketKey("rule-5", 2), spec, false, clock.now());
        assertThat(cache.has(new BucketKey("rule-5", 2))).isTrue();
    }

    @Test
    void howeverManyBucketsARuleHadItIsForgottenWithoutThem() {
        TokenBucketCache cache = new TokenBucketCache(10_000);
        StoreClock clock = new StoreClock(time);
        LearnedLimits learned = new LearnedLimits();
        CompiledSpec spec = CompiledSpec.of(1, List.of(LIMIT), limit -> learned.algorithm("any", limit));
        for (long user = 1; user <= 5_000; user++) {
            cache.prepare(new BucketKey("rule", user << 50 | user << 1), spec, true, clock.now());
        }
        assertThat(cache.table("rule", spec).segments()).hasSizeGreaterThan(1);

        cache.sweep(clock.now());

        assertThat(cache.rules()).isZero();
    }

    @Test
    void aRuleOfManyClientsIsKeptForTheOneWhoHasSpentSomething() {
        LocalBucketStore store = new LocalBucketStore(time, 10_000);
        for (int user = 0; user < 2_000; user++) {
            spend(store, List.of(charge("rule", "user-" + user, 1)));
        }
        time.advance(Duration.ofMinutes(1));
        spend(store, List.of(charge("rule", "alice", 10)));

        store.sweep();

        assertThat(store.size()).isEqualTo(1);
        assertThat(spend(store, List.of(charge("rule", "alice", 1)))).isFalse();
        assertThat(spend(store, List.of(charge("rule", "bob", 1)))).isTrue();
    }

    @Test
    void whoIsKnownAgainIsFoundWithoutAPlaceForNewcomers() {
        LocalBucketStore store = new LocalBucketStore(time, 2);
        ClientBuckets direct = store.bucketsOf(spec("rule"));
        ClientKind users = direct.kinds().of("user");
        direct.spend(users, "alice", 1);
        time.advance(Duration.ofMinutes(1));
        store.sweep();
        spend(store, List.of(charge("rule", "bob", 1), charge("other", "bob", 1)));

        assertThat(direct.spend(users, "bob", 1)).isEqualTo(Verdict.ALLOWED);
        assertThat(direct.spend(users, "carol", 1)).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void nothingSpentIsForgottenWhileARuleOfManyClientsIsSweptAway() throws Exception {
        LocalBucketStore store = new LocalBucketStore(time, 100_000);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> sweeping = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                store.sweep();
            }
        });
        int passed = 0;
        for (int round = 0; round < 5; round++) {
            for (int user = 0; user < 600; user++) {
                spend(store, List.of(charge("rule", "user-" + user, 1)));
            }
            time.advance(Duration.ofMinutes(1));
            List<CompletableFuture<Integer>> spending = new ArrayList<>();
            for (int thread = 0; thread < 2; thread++) {
                spending.add(CompletableFuture.supplyAsync(() -> passed(store, spec("rule"), 8)));
            }
            for (CompletableFuture<Integer> each : spending) {
                passed += each.get();
            }
            time.advance(Duration.ofMinutes(1));
        }
        over.set(true);
        sweeping.get();

        assertThat(passed).isEqualTo(5 * 10);
    }

    private static BucketSpec spec(String rule) {
        return new BucketSpec("service", rule, 1, List.of(LIMIT), StorePolicy.UNSET);
    }

    private static Charge charge(String rule, String user, long cost) {
        return new Charge(ClientIdentifier.of("user", user), spec(rule), cost);
    }

    private static boolean spend(LocalBucketStore store, List<Charge> charges) {
        return store.spend(charges, Duration.ofSeconds(1))
                .toCompletableFuture()
                .join()
                .allowed();
    }

    @Test
    void nothingSpentIsForgottenWhileRulesAreSweptAway() throws Exception {
        LocalBucketStore store = new LocalBucketStore(time, 100_000);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> sweeping = CompletableFuture.runAsync(() -> {
            while (!over.get()) {
                store.sweep();
            }
        });
        List<CompletableFuture<Integer>> spending = new ArrayList<>();
        List<BucketSpec> specs = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            specs.add(spec("rule-" + i));
        }
        for (int thread = 0; thread < 2; thread++) {
            spending.add(CompletableFuture.supplyAsync(() ->
                    specs.stream().mapToInt(spec -> passed(store, spec, 8)).sum()));
        }
        int passed = 0;
        for (CompletableFuture<Integer> each : spending) {
            passed += each.get();
        }
        over.set(true);
        sweeping.get();

        assertThat(passed).isEqualTo(2_000 * 10);
    }

    private static int passed(LocalBucketStore store, BucketSpec spec, int requests) {
        int passed = 0;
        for (int i = 0; i < requests; i++) {
            passed += spend(store, List.of(new Charge(ClientIdentifier.of("user", "alice"), spec, 1))) ? 1 : 0;
        }
        return passed;
    }
}
