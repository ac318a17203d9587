package io.ratelimit.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import io.ratelimit.rules.StorePolicy;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** One host alone is answered as if the store were asked each time, whatever it does. */
class RefusalPropertiesTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final LimitOptions PLAIN = LimitOptions.NONE;
    private static final int STEPS = 200;

    private static final List<Limit> LIMITS = List.of(
            Limit.of(5, SECOND),
            new Limit(5, SECOND, 10, Algorithm.GCRA),
            new Limit(5, SECOND, 10, Algorithm.LEAKY_BUCKET),
            new Limit(3, SECOND, 6, Algorithm.TOKEN_BUCKET, PLAIN.withRefill(Refill.INTERVAL)),
            new Limit(5, SECOND, 5, Algorithm.FIXED_WINDOW),
            new Limit(5, SECOND, 5, Algorithm.SLIDING_WINDOW_LOG),
            new Limit(5, SECOND, 5, Algorithm.SLIDING_WINDOW_COUNTER),
            new Limit(5, SECOND, 5, Algorithm.WARM_UP, PLAIN.withWarmUp(SECOND)),
            new Limit(5, SECOND, 5, Algorithm.TOKEN_BUCKET, PLAIN.withMinInterval(Duration.ofMillis(70))),
            new Limit(5, SECOND, 5, Algorithm.TOKEN_BUCKET, PLAIN.withChargeRefused(true)),
            new Limit(5, SECOND, 5, Algorithm.TOKEN_BUCKET, PLAIN.withPenalty(new Penalty(4, SECOND))),
            new Limit(2, Duration.ZERO, 2, Algorithm.CONCURRENCY));

    private final List<ClientIdentifier> clients =
            List.of(ClientIdentifier.of("user", "alice"), ClientIdentifier.of("user", "bob"), ClientIdentifier.SERVICE);

    /** A receipt in both worlds, and what is left of its charge. */
    private record Paid(Receipt plain, Receipt repeating, long tokens) {}

    @Property(tries = 300)
    void nobodyIsRefusedWhoWouldPassNorTheOtherWayRound(@ForAll long seed) {
        Random random = new Random(seed);
        ManualTimeSource clock = new ManualTimeSource(random.nextLong());
        BucketStore plain = new LocalBucketStore(clock, 1_000);
        CountedBuckets shared = new CountedBuckets(new LocalBucketStore(clock, 1_000));
        BucketStore repeating = RefusingBucketStoreTest.over(shared, new RefusalMemory(clock), clock);
        List<BucketSpec> rules = rules(random, 1);
        List<Paid> paid = new ArrayList<>();
        for (int step = 0; step < STEPS; step++) {
            clock.advanceNanos(random.nextInt(4) == 0 ? random.nextInt(400_000_000) : random.nextInt(5_000_000));
            int what = random.nextInt(40);
            if (what == 0) {
                rules = rules(random, step + 2);
                convert(rules, plain, repeating);
            } else if (what < 6 && !paid.isEmpty()) {
                giveBack(paid.remove(random.nextInt(paid.size())), random, plain, repeating);
            } else {
                List<Charge> charges = charges(random, rules);
                SpendOutcome expected = spend(plain, charges);
                SpendOutcome outcome = spend(repeating, charges);
                assertThat(outcome.allowed()).as("step %d: %s", step, charges).isEqualTo(expected.allowed());
                noWaitIsTooLong(outcome, expected);
                addPaid(expected, outcome, paid);
            }
        }
    }

    private static List<BucketSpec> rules(Random random, long version) {
        List<BucketSpec> rules = new ArrayList<>();
        for (String name : List.of("one", "two", "three")) {
            List<Limit> limits = new ArrayList<>();
            limits.add(LIMITS.get(random.nextInt(LIMITS.size())));
            if (random.nextBoolean()) {
                limits.add(Limit.of(20, Duration.ofSeconds(10)));
            }
            rules.add(new BucketSpec("orders", name, version, limits, StorePolicy.UNSET));
        }
        return rules;
    }

    /** What was used goes on from when it is first asked for under other limits, which is to be the same time in both. */
    private void convert(List<BucketSpec> rules, BucketStore plain, BucketStore repeating) {
        for (BucketSpec rule : rules) {
            for (ClientIdentifier client : clients) {
                List<Charge> look = List.of(new Charge(client, rule, 0).as(Charge.Kind.LOOK));
                spend(plain, look);
                spend(repeating, look);
            }
        }
    }

    private List<Charge> charges(Random random, List<BucketSpec> rules) {
        List<Charge> charges = new ArrayList<>();
        for (BucketSpec rule : rules) {
            if (charges.isEmpty() || random.nextInt(3) == 0) {
                ClientIdentifier client = clients.get(random.nextInt(clients.size()));
                Charge charge = new Charge(client, rule, random.nextInt(8) == 0 ? random.nextInt(8) : 1);
                charges.add(
                        switch (random.nextInt(12)) {
                            case 0 -> charge.as(Charge.Kind.SHADOW);
                            case 1 -> charge.as(Charge.Kind.LOOK);
                            case 2 -> charge.as(Charge.Kind.MORE);
                            case 3 -> charge.waiting(random.nextInt(500_000_000));
                            default -> charge;
                        });
            }
        }
        return charges;
    }

    private static void giveBack(Paid paid, Random random, BucketStore plain, BucketStore repeating) {
        if (random.nextBoolean()) {
            long tokens = random.nextLong(paid.tokens() + 1);
            join(plain.refund(paid.plain(), tokens));
            join(repeating.refund(paid.repeating(), tokens));
            join(plain.release(paid.plain()));
            join(repeating.release(paid.repeating()));
        } else {
            join(plain.undo(paid.plain(), paid.tokens()));
            join(repeating.undo(paid.repeating(), paid.tokens()));
        }
    }

    private static void join(CompletionStage<Void> stage) {
        stage.toCompletableFuture().join();
    }

    private static void addPaid(SpendOutcome plain, SpendOutcome repeating, List<Paid> paid) {
        for (int i = 0; i < plain.charges().size(); i++) {
            Receipt receipt = plain.charges().get(i).receipt();
            Receipt other = repeating.charges().get(i).receipt();
            assertThat(other == null).isEqualTo(receipt == null);
            if (receipt != null && other != null) {
                paid.add(
                        new Paid(receipt, other, plain.charges().get(i).charge().cost()));
            }
        }
    }

    private static void noWaitIsTooLong(SpendOutcome outcome, SpendOutcome expected) {
        for (int i = 0; i < outcome.charges().size(); i++) {
            ChargeOutcome said = outcome.charges().get(i);
            if (said.charge().kind().decides() && !said.limits().isEmpty() && !outcome.allowed() && !said.admits()) {
                assertThat(longest(said))
                        .as("%s%n%s", outcome, expected)
                        .isLessThanOrEqualTo(longest(expected.charges().get(i)));
            }
        }
    }

    private static long longest(ChargeOutcome outcome) {
        return outcome.limits().stream()
                .mapToLong(limit -> limit.waitNanos() == LimitState.NEVER ? Long.MAX_VALUE : limit.waitNanos())
                .max()
                .orElse(0);
    }

    private static SpendOutcome spend(BucketStore store, List<Charge> charges) {
        return store.spend(charges, TIMEOUT).toCompletableFuture().join();
    }
}
