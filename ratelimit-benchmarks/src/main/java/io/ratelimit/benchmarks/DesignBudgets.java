package io.ratelimit.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** The budgets that the design sets for what is measured here. */
final class DesignBudgets {

    private static final List<String> PEERS =
            List.of("bucket4j", "resilience4j", "guava", "failsafeSmooth", "failsafeBursty");

    private DesignBudgets() {}

    static List<Budget> all() {
        List<Budget> all = new ArrayList<>();
        // One hot bucket, admitted: close to the least that can be done, ahead of all others, no garbage.
        all.add(Budget.times(Group.HOT_ADMITTED, "ourArithmetic", 1.2, "gcra"));
        for (String ours : List.of("ourPermits", "ourStore")) {
            all.add(Budget.times(Group.HOT_ADMITTED, ours, 1.2, "gcra"));
            for (String peer : PEERS) {
                all.add(Budget.times(Group.HOT_ADMITTED, ours, 1, peer));
            }
            all.add(Budget.bytes(Group.HOT_ADMITTED, ours, 0));
        }
        all.addAll(List.of(
                // One hot bucket, refused: close to reading the clock.
                Budget.times(Group.HOT_REFUSED, "ourArithmetic", 1.2, "nanoTime"),
                Budget.times(Group.HOT_REFUSED, "ourPermits", 1.2, "nanoTime"),
                Budget.times(Group.HOT_REFUSED, "ourStore", 1.2, "nanoTime"),
                // The bucket of one of many clients, hashing included.
                Budget.times(Group.MILLION_CLIENTS, "ourStore", 0.6, "gcraInMap"),
                Budget.times(Group.MILLION_CLIENTS, "ourStore", 0.4, "bucket4jInMap"),
                Budget.times(Group.HOT_CLIENTS, "ourStore", 0.8, "gcraInMap"),
                // The whole decision: rules, key and two limits in the time of one bare Bucket4j.
                Budget.times(Group.MILLION_CLIENTS, "ourDecisionTwoLimits", 1, "bucket4jInMap"),
                Budget.bytesBeyond(Group.MILLION_CLIENTS, "ourDecisionTwoLimits", 0, "clientName"),
                Budget.bytesBeyond(Group.MILLION_CLIENTS, "ourDecisionTwoLimitsRead", 200, "clientName"),
                Budget.times(Group.RULES, "tenThousandRules", 1.2, "tenRules"),
                // Memory for each active client.
                Budget.memory("ourStore", 28, 36)));
        all.addAll(FilterBudgets.all());
        return List.copyOf(all);
    }
}
