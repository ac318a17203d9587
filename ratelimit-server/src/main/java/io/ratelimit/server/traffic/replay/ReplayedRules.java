package io.ratelimit.server.traffic.replay;

import io.ratelimit.core.bucket.LocalBucketStore;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.traffic.RecordedRequest;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.Receipt;
import io.ratelimit.store.SpendOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One set of rules that decides recorded requests in the order of their time, all in one store of buckets as if one host had
 * had them all. Not thread-safe.
 */
final class ReplayedRules {

    /** Enough for the largest recording under ten rules; a bucket takes less than 40 bytes. */
    private static final int MOST_BUCKETS = 2_000_000;

    /** The store is in this process, and answers at once. */
    private static final Duration AT_ONCE = Duration.ofSeconds(1);

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MOST_COST = 1_000_000_000_000_000L;

    private final CompiledRules rules;
    private final Map<String, Basis> bases = new LinkedHashMap<>();
    private final Map<String, Double> fractions = new HashMap<>();
    private final Timeline timeline;
    private final LocalBucketStore buckets;
    private final ReplayedLines lines;
    private int degraded;

    /**
     * Begins with full buckets.
     *
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    ReplayedRules(RuleSet ruleSet, Sampling sampling, Timeline timeline) {
        this.rules = CompiledRules.of(withoutProxies(ruleSet));
        this.timeline = timeline;
        this.buckets = new LocalBucketStore(timeline.clock(), MOST_BUCKETS);
        this.lines = new ReplayedLines(timeline);
        for (Rule rule : ruleSet.rules()) {
            bases.put(rule.name(), sampling.of(rule, ruleSet.clients()));
        }
    }

    /** The recorded address is the client's, found behind the proxies already. */
    private static RuleSet withoutProxies(RuleSet rules) {
        return new RuleSet(
                rules.service(),
                rules.version(),
                rules.clients(),
                new ClientAddressPolicy(
                        List.of(), rules.addresses().header(), rules.addresses().ipv6Prefix()),
                rules.exempt(),
                rules.costs(),
                rules.store(),
                rules.rules());
    }

    /** How much of what fills the rules' buckets was recorded, by the rules' names in their order. */
    Map<String, Basis> bases() {
        return bases;
    }

    /** How many requests found no place in the table of buckets. */
    int degraded() {
        return degraded;
    }

    /**
     * Decides the next request, and sees to it that it is settled.
     *
     * @param share the share of the clients that were recorded
     * @param answer what the application makes of it if it passes
     */
    Verdict decide(RecordedRequest request, double share, Answer answer) {
        List<RuleCharge> charges = chargesFor(request, share);
        if (charges.isEmpty()) {
            return Verdict.UNLIMITED;
        }
        SpendOutcome outcome = spend(charges);
        if (outcome.allowed()) {
            return passed(charges, outcome, 0, answer);
        }
        Optional<List<RuleCharge>> waiting = lines.waiting(charges, outcome);
        if (waiting.isPresent()) {
            SpendOutcome ahead = spend(waiting.get());
            if (ahead.allowed()) {
                long wait = waitOf(ahead);
                lines.enter(charges, outcome, wait);
                return passed(charges, ahead, wait, answer);
            }
        }
        return verdict(Fate.REFUSED, charges, outcome);
    }

    private SpendOutcome spend(List<RuleCharge> charges) {
        List<Charge> asked = new ArrayList<>(charges.size());
        charges.forEach(charge -> asked.add(charge.charge()));
        SpendOutcome outcome =
                buckets.spend(asked, AT_ONCE).toCompletableFuture().join();
        if (outcome.degraded()) {
            degraded++;
        }
        return outcome;
    }

    private List<RuleCharge> chargesFor(RecordedRequest request, double share) {
        List<RuleCharge> found = rules.chargesFor(new RecordedContext(request)).charges();
        List<RuleCharge> judged = new ArrayList<>(found.size());
        for (RuleCharge charge : found) {
            String rule = charge.rule().rule().name();
            Basis basis = bases.get(rule);
            if (basis != Basis.NONE) {
                judged.add(basis == Basis.WEIGHTED ? weighted(charge, rule, share) : charge);
            }
        }
        return judged;
    }

    /** What many such requests cost. Fractions of tokens are carried on to the next request. */
    private RuleCharge weighted(RuleCharge charge, String rule, double share) {
        Charge one = charge.charge();
        double cost = Math.min(one.cost() / share, MOST_COST) + fractions.getOrDefault(rule, 0.0);
        long tokens = (long) cost;
        fractions.put(rule, cost - tokens);
        return new RuleCharge(
                charge.rule(), new Charge(one.client(), one.bucket(), tokens, one.kind(), one.maxWaitNanos()));
    }

    private static long waitOf(SpendOutcome outcome) {
        return outcome.charges().stream()
                .filter(made -> made.charge().kind().decides())
                .mapToLong(ChargeOutcome::longestWaitNanos)
                .max()
                .orElse(0);
    }

    private Verdict passed(List<RuleCharge> charges, SpendOutcome outcome, long wait, Answer answer) {
        if (mustBeSettled(charges)) {
            long end = wait + answer.millis() * NANOS_PER_MILLI;
            timeline.later(end, () -> settle(charges, outcome, answer.status()));
        }
        return verdict(wait > 0 ? Fate.WAITING : Fate.ALLOWED, charges, outcome);
    }

    private static boolean mustBeSettled(List<RuleCharge> charges) {
        for (RuleCharge charge : charges) {
            if (charge.rule().mustBeSettled()) {
                return true;
            }
        }
        return false;
    }

    private void settle(List<RuleCharge> charges, SpendOutcome outcome, @Nullable Integer status) {
        for (int i = 0; i < charges.size(); i++) {
            Receipt receipt = outcome.charges().get(i).receipt();
            LimitedRule rule = charges.get(i).rule();
            if (receipt != null) {
                if (status != null && !rule.isChargedFor(status)) {
                    buckets.refund(receipt, outcome.charges().get(i).charge().cost());
                }
                buckets.release(receipt);
            }
        }
    }

    private static Verdict verdict(Fate fate, List<RuleCharge> charges, SpendOutcome outcome) {
        List<Verdict.RuleVerdict> rules = new ArrayList<>(charges.size());
        for (int i = 0; i < charges.size(); i++) {
            rules.add(new Verdict.RuleVerdict(
                    charges.get(i).rule().rule().name(),
                    fateBy(outcome.charges().get(i), fate)));
        }
        return new Verdict(fate, rules);
    }

    private static Fate fateBy(ChargeOutcome made, Fate whole) {
        if (whole == Fate.REFUSED) {
            return made.charge().kind().decides() && !made.admits() ? Fate.REFUSED : Fate.REFUSED_BY_ANOTHER;
        }
        if (!made.charge().kind().decides()) {
            return made.admits() ? Fate.ALLOWED : Fate.SHADOW;
        }
        return made.longestWaitNanos() > 0 ? Fate.WAITING : Fate.ALLOWED;
    }
}
