package io.ratelimit.core;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.LimitVisitor;
import io.ratelimit.Settlement;
import io.ratelimit.core.bucket.DirectSpending;
import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.Rule;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import io.ratelimit.store.SpendOutcome;
import java.util.AbstractList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the buckets of one rule said of a request, as they said it: most requests are decided so, and of most decisions
 * only few things are asked, which are worked out then.
 */
final class DirectDecision implements Decision {

    private final ChargeLedger ledger;
    private final LimitedRule rule;
    private final DirectSpending spending;

    /** The same decision with an account of what was paid, of which there must be one only; under the monitor. */
    private @Nullable EngineDecision account;

    DirectDecision(ChargeLedger ledger, LimitedRule rule, DirectSpending spending) {
        this.ledger = ledger;
        this.rule = rule;
        this.spending = spending;
    }

    @Override
    public boolean allowed() {
        return spending.allowed();
    }

    @Override
    public Reason reason() {
        return allowed() ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED;
    }

    @Override
    public LimitStatus decidingLimit() {
        LimitStatus deciding = status(0);
        for (int i = 1; i < rule.policies().size(); i++) {
            LimitStatus other = status(i);
            if (EngineDecision.decidesBefore(allowed(), other, deciding)) {
                deciding = other;
            }
        }
        return deciding;
    }

    @Override
    public Rule decidingRule() {
        return rule.rule();
    }

    @Override
    public List<LimitStatus> limits() {
        return new Statuses();
    }

    @Override
    public void forEachLimit(LimitVisitor visitor) {
        List<Limit> limits = rule.bucket().limits();
        for (int i = 0; i < limits.size(); i++) {
            visitor.visit(limits.get(i), rule.policies().get(i), spending.limit(i));
        }
    }

    @Override
    public Settlement settlement() {
        return allowed() ? account().settlement() : Settlement.NOTHING;
    }

    private LimitStatus status(int limit) {
        return new LimitStatus(
                rule.rule(), rule.bucket().limits().get(limit), rule.policies().get(limit), spending.limit(limit));
    }

    @Override
    public @Nullable ClientIdentifier clientOf(Rule asked) {
        return asked.name().equals(rule.rule().name()) ? spending.client() : null;
    }

    /** The same decision, with an account of what the request was charged. */
    synchronized EngineDecision account() {
        EngineDecision known = account;
        if (known == null) {
            Charge charge = new Charge(spending.client(), rule.bucket(), spending.cost());
            ChargeOutcome outcome = new ChargeOutcome(charge, spending.limits(), spending.receipt());
            known = EngineDecision.of(
                    ledger,
                    List.of(new RuleCharge(rule, charge)),
                    new SpendOutcome(spending.allowed(), false, List.of(outcome)));
            account = known;
        }
        return known;
    }

    /** The limits' states, each made when it is looked at. */
    private final class Statuses extends AbstractList<LimitStatus> {

        @Override
        public LimitStatus get(int limit) {
            return status(limit);
        }

        @Override
        public int size() {
            return rule.policies().size();
        }
    }
}
