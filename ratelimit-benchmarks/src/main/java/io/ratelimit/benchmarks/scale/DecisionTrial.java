package io.ratelimit.benchmarks.scale;

import io.ratelimit.RateLimiter;
import io.ratelimit.benchmarks.BenchmarkRequest;
import io.ratelimit.benchmarks.RulesText;
import io.ratelimit.benchmarks.RunningEngine;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;

/** Whole decisions for clients at random, all of whom are known before: the rule is found, the client, his buckets. */
final class DecisionTrial implements Trial {

    private static final int RULES = 10;

    private final RulesText rules;
    private final int clients;
    private final List<Threads> threads;
    private final FreshNames names = new FreshNames();

    DecisionTrial(List<Limit> limits, int clients, List<Threads> threads) {
        this.rules = new RulesText("user", RULES, limits);
        this.clients = clients;
        this.threads = List.copyOf(threads);
    }

    @Override
    public List<Row> measure() throws InterruptedException {
        try (RateLimitEngine engine = RunningEngine.of(rules)) {
            RateLimiter limiter = engine.limiter();
            for (int client = 0; client < clients; client++) {
                check(limiter.allowRequest(request(client)));
            }
            List<Row> rows = new ArrayList<>();
            for (Threads some : threads) {
                rows.add(row("allowRequest", some, random -> check(limiter.allowRequest(next(random)))));
                rows.add(row(
                        "decide",
                        some,
                        random -> check(limiter.decide(next(random)).allowed())));
                rows.add(row(
                        "decide, and read",
                        some,
                        random -> check(!limiter.decide(next(random)).limits().isEmpty())));
                rows.add(row(
                        "the request alone",
                        some,
                        random -> check(next(random).user().length() > 1)));
            }
            return rows;
        }
    }

    /** One call. */
    private interface Decision {
        void make(SplittableRandom random);
    }

    private Row row(String name, Threads some, Decision decision) throws InterruptedException {
        IntFunction<Runnable> calls = thread -> {
            SplittableRandom random = new SplittableRandom(thread);
            return () -> decision.make(random);
        };
        String limits = rules.limits().size() == 1
                ? ", one limit"
                : ", " + rules.limits().size() + " limits";
        Row row = Tally.addTo(Row.of(Section.DECISIONS, name + limits), some.run(calls));
        return new Fleet(row.figure(Figure.PER_SECOND).orElseThrow() / some.count()).addTo(row);
    }

    private BenchmarkRequest next(SplittableRandom random) {
        return request(random.nextInt(clients));
    }

    private BenchmarkRequest request(int client) {
        return new BenchmarkRequest(rules.path(), names.of(client));
    }

    private static void check(boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("a request was refused, or no limit applied to it");
        }
    }
}
