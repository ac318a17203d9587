package io.ratelimit.core;

import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import io.ratelimit.core.match.RuleCharge;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/** Settles what one request has paid. */
final class ChargeSettlement implements Settlement {

    private final ChargeLedger ledger;
    private final EngineDecision decision;
    private final AtomicBoolean settled = new AtomicBoolean();

    /**
     * Begins unsettled.
     *
     * @param decision what was asked for, and what was paid and not given back
     */
    ChargeSettlement(ChargeLedger ledger, EngineDecision decision) {
        this.ledger = ledger;
        this.decision = decision;
    }

    /** Settles without a word to the ledger, for a decision that goes on in another one. */
    boolean hand() {
        return settled.compareAndSet(false, true);
    }

    boolean isOpen() {
        return !settled.get();
    }

    @Override
    public boolean confirm(long cost) {
        return settle(charge -> true, cost);
    }

    @Override
    public boolean refund() {
        return settle(charge -> false, RequestContext.NO_COST);
    }

    @Override
    public boolean complete(int status, long cost) {
        boolean settledNow = settle(charge -> charge.rule().isChargedFor(status), cost);
        if (settledNow) {
            ledger.answered(decision, status);
        }
        return settledNow;
    }

    private boolean settle(Predicate<RuleCharge> stands, long cost) {
        if (!hand()) {
            return false;
        }
        for (RuleCharge charge : decision.charges()) {
            settle(charge, stands.test(charge) ? cost : 0);
        }
        decision.spent().forEach(ledger::release);
        return true;
    }

    private void settle(RuleCharge charge, long cost) {
        List<EngineDecision.Spent> paid = decision.spent().stream()
                .filter(part -> EngineDecision.sameBucket(part.charge(), charge))
                .toList();
        long tokens = paid.stream().mapToLong(EngineDecision.Spent::tokens).sum();
        if (paid.isEmpty() || cost == RequestContext.NO_COST || cost == tokens) {
            return;
        }
        if (cost > tokens) {
            ledger.chargeLate(paid.get(0).charge(), cost - tokens);
            return;
        }
        long excess = tokens - cost;
        for (EngineDecision.Spent part : paid) {
            long back = Math.min(excess, part.tokens());
            ledger.refund(part, back);
            excess -= back;
        }
    }
}
