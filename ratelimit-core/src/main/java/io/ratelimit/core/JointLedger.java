package io.ratelimit.core;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.LongBinaryOperator;

/** Spends what the parts of a request are charged, all or nothing. Thread-safe. */
final class JointLedger {

    private final ChargeLedger ledger;

    JointLedger(ChargeLedger ledger) {
        this.ledger = ledger;
    }

    /**
     * Spends.
     *
     * @param parts the parts
     * @param sameBucket what two parts that lead to the same bucket cost together
     */
    CompletionStage<JointDecision> spend(List<JointPart> parts, LongBinaryOperator sameBucket) {
        United spending = new United(sameBucket);
        United looking = new United(sameBucket);
        parts.forEach(part -> (part.spends() ? spending : looking).add(part.charges()));
        return looking.isEmpty()
                ? ledger.spend(spending.charges()).thenApply(spent -> tell(parts, spent, EngineDecision.NO_LIMIT))
                : ledger.look(looking.charges()).thenCompose(looked -> spendAfter(looked, parts, spending));
    }

    /** What is only looked at has its say as well, before anything is spent. */
    private CompletionStage<JointDecision> spendAfter(EngineDecision looked, List<JointPart> parts, United spending) {
        CompletionStage<EngineDecision> spent =
                looked.allowed() ? ledger.spend(spending.charges()) : ledger.look(spending.charges());
        return spent.thenApply(made -> tell(parts, made, looked));
    }

    private JointDecision tell(List<JointPart> parts, EngineDecision spent, EngineDecision looked) {
        Map<Bucket, ChargeOutcome> ofSpent = outcomes(spent);
        Map<Bucket, ChargeOutcome> ofLooked = outcomes(looked);
        List<EngineDecision> told = parts.stream()
                .map(part -> part.spends()
                        ? spent.part(part.charges(), outcomes(part, ofSpent))
                        : looked.part(part.charges(), outcomes(part, ofLooked)))
                .toList();
        return new JointDecision(whole(spent, looked), List.copyOf(told));
    }

    private static Map<Bucket, ChargeOutcome> outcomes(EngineDecision decision) {
        Map<Bucket, ChargeOutcome> outcomes = new HashMap<>();
        decision.outcome().charges().forEach(made -> outcomes.put(Bucket.of(made.charge()), made));
        return outcomes;
    }

    private static List<ChargeOutcome> outcomes(JointPart part, Map<Bucket, ChargeOutcome> all) {
        return part.charges().stream()
                .map(RuleCharge::charge)
                .map(charge -> all.getOrDefault(Bucket.of(charge), new ChargeOutcome(charge, List.of(), null)))
                .toList();
    }

    private EngineDecision whole(EngineDecision spent, EngineDecision looked) {
        if (looked.charges().isEmpty()) {
            return spent;
        }
        List<RuleCharge> charges = new ArrayList<>(spent.charges());
        charges.addAll(looked.charges());
        List<ChargeOutcome> outcomes = new ArrayList<>(spent.outcome().charges());
        outcomes.addAll(looked.outcome().charges());
        boolean allowed = spent.allowed() && looked.allowed();
        boolean degraded = spent.outcome().degraded() || looked.outcome().degraded();
        return EngineDecision.of(ledger, charges, new SpendOutcome(allowed, degraded, outcomes));
    }

    /** What makes two charges one. */
    private record Bucket(String service, String name, ClientIdentifier client) {

        static Bucket of(Charge charge) {
            BucketSpec spec = charge.bucket();
            return new Bucket(spec.service(), spec.name(), charge.client());
        }
    }

    /** Charges of which no two are of one bucket. */
    private static final class United {

        private final Map<Bucket, RuleCharge> charges = new LinkedHashMap<>();
        private final LongBinaryOperator sameBucket;

        United(LongBinaryOperator sameBucket) {
            this.sameBucket = sameBucket;
        }

        void add(List<RuleCharge> more) {
            more.forEach(charge -> charges.merge(Bucket.of(charge.charge()), charge, this::unite));
        }

        private RuleCharge unite(RuleCharge one, RuleCharge other) {
            Charge charge = one.charge();
            long cost = sameBucket.applyAsLong(charge.cost(), other.charge().cost());
            return new RuleCharge(one.rule(), new Charge(charge.client(), charge.bucket(), cost).as(charge.kind()));
        }

        boolean isEmpty() {
            return charges.isEmpty();
        }

        List<RuleCharge> charges() {
            return List.copyOf(charges.values());
        }
    }
}
