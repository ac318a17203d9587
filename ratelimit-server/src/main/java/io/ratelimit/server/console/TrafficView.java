package io.ratelimit.server.console;

import io.ratelimit.server.traffic.MostRefused;
import java.util.List;

/**
 * What a page on a service's traffic tells in numbers, all of it as of now.
 *
 * @param rules the names of the rules to choose from
 * @param rollout which hosts have the rules in force
 * @param minutes totals of the last minutes
 * @param hours totals of the last hours
 * @param refused the clients that were refused most
 */
record TrafficView(List<String> rules, RolloutPart rollout, Totals minutes, Totals hours, List<RefusedClient> refused) {

    /**
     * A client that a rule has refused.
     *
     * @param rule the rule's name
     * @param most the client, and how often
     */
    record RefusedClient(String rule, MostRefused most) {

        /** Such as {@code 310}, or {@code at most 310} where that may be too high. */
        String times() {
            return (most.excess() > 0 ? "at most " : "") + Counted.number(most.refused());
        }
    }
}
