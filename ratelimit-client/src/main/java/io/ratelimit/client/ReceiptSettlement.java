package io.ratelimit.client;

import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Settles what a daemon has given a receipt for, once. What a daemon would refuse it is told as what the engine makes of it,
 * for others are told in the same call.
 */
final class ReceiptSettlement implements Settlement {

    private static final int LOWEST_STATUS = 100;
    private static final int HIGHEST_STATUS = 599;

    /** No response ends with it, so that rules which charge for some responses do not charge for it. */
    private static final int NO_RESPONSE = 100;

    private final String receipt;
    private final Settlements settlements;
    private final AtomicBoolean isSettled = new AtomicBoolean();

    ReceiptSettlement(String receipt, Settlements settlements) {
        this.receipt = receipt;
        this.settlements = settlements;
    }

    @Override
    public boolean confirm(long cost) {
        return settle("confirm", ReceiptOutcome.NO_STATUS, cost);
    }

    @Override
    public boolean refund() {
        return settle("refund", ReceiptOutcome.NO_STATUS, RequestContext.NO_COST);
    }

    @Override
    public boolean complete(int status, long cost) {
        boolean isStatus = status >= LOWEST_STATUS && status <= HIGHEST_STATUS;
        return settle("complete", isStatus ? status : NO_RESPONSE, cost);
    }

    private boolean settle(String outcome, int status, long cost) {
        boolean isFirst = isSettled.compareAndSet(false, true);
        if (isFirst) {
            settlements.add(new ReceiptOutcome(receipt, outcome, status, told(cost), System.nanoTime()));
        }
        return isFirst;
    }

    /** Less than nothing is nothing. */
    private static long told(long cost) {
        return cost == RequestContext.NO_COST ? cost : Math.max(0, cost);
    }
}
