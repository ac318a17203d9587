package io.ratelimit.benchmarks.cluster;

import java.util.Map;
import java.util.function.ToDoubleBiFunction;

/**
 * What was found out about a scenario.
 *
 * @param scenario the scenario
 * @param judgement what became of the requests
 * @param recording the requests
 * @param before what each host held before the load
 * @param after what each host held when all was over, a while after the load
 */
record Finding(
        Scenario scenario,
        Judgement judgement,
        Recording recording,
        Map<Integer, Host.State> before,
        Map<Integer, Host.State> after) {

    /** When the first fault began, in seconds after the load. */
    double faultBegin() {
        return scenario.events().stream().mapToDouble(Scenario.Event::at).min().orElse(0);
    }

    /** When the last fault ended. */
    double faultEnd() {
        return scenario.events().stream().mapToDouble(Scenario.Event::end).max().orElse(0);
    }

    /** How answers were before the first fault, in its first second, in the rest of its time, and 15 seconds after it. */
    Latency quiet() {
        return recording.latency(scenario, 0, faultBegin());
    }

    Latency firstSecond() {
        return recording.latency(scenario, faultBegin(), faultBegin() + 1);
    }

    Latency meanwhile() {
        return recording.latency(scenario, faultBegin() + 1, Math.max(faultEnd(), faultBegin() + 5));
    }

    /** How long after the end of the last fault onFailure answered more than before, in seconds. */
    double recovery() {
        return recording.recovery(faultBegin(), faultEnd());
    }

    /** The largest growth of a host's heap, as a part of what it held before. */
    double heapGrowth() {
        return most((then, now) -> (double) now.heapBytes() / then.heapBytes() - 1);
    }

    /** The largest growth of a host's number of threads. */
    int moreThreads() {
        return (int) most((then, now) -> now.threads() - then.threads());
    }

    private double most(ToDoubleBiFunction<Host.State, Host.State> growth) {
        double most = Double.NEGATIVE_INFINITY;
        for (Map.Entry<Integer, Host.State> entry : after.entrySet()) {
            Host.State then = before.get(entry.getKey());
            if (then != null) {
                most = Math.max(most, growth.applyAsDouble(then, entry.getValue()));
            }
        }
        return most == Double.NEGATIVE_INFINITY ? 0 : most;
    }
}
