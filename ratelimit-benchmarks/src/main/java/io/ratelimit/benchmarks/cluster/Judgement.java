package io.ratelimit.benchmarks.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What became of the requests of a run, and what it proves.
 *
 * @param requests how many there were
 * @param admitted how many passed
 * @param unasked how many were answered without the buckets
 * @param broken how many got no answer
 * @param bounds what the way of sharing promises
 * @param excess the most tokens that a client got for certain beyond B + R·w, over the worst time w
 * @param ofBound what a client got for certain as a part of what he may, over the worst time
 * @param falseRefusals how many were refused for certain though the limit, and the way of sharing, allowed them
 * @param latency how long answers took
 */
record Judgement(
        int requests,
        int admitted,
        int unasked,
        int broken,
        Bounds bounds,
        double excess,
        double ofBound,
        int falseRefusals,
        Latency latency) {

    static Judgement of(Scenario scenario, List<Request> requests) {
        Map<Integer, List<Request>> clients =
                requests.stream().collect(Collectors.groupingBy(Request::client, TreeMap::new, Collectors.toList()));
        Bounds bounds = Bounds.of(scenario);
        double excess = 0;
        double ofBound = 0;
        int falseRefusals = 0;
        for (List<Request> client : clients.values()) {
            Evidence evidence = new Evidence(scenario.limit(), client);
            Evidence.Worst worst = evidence.worst(bounds.excess());
            excess = Math.max(excess, worst.excess());
            ofBound = Math.max(ofBound, worst.ofBound());
            falseRefusals += evidence.falseRefusals(bounds.idle());
        }
        return new Judgement(
                requests.size(),
                count(requests, Request.Outcome::passed),
                count(requests, Request.Outcome::byFailure),
                count(requests, outcome -> outcome == Request.Outcome.BROKEN),
                bounds,
                excess,
                ofBound,
                falseRefusals,
                Latency.of(requests));
    }

    private static int count(List<Request> requests, Predicate<Request.Outcome> wanted) {
        return (int) requests.stream()
                .filter(request -> wanted.test(request.outcome()))
                .count();
    }
}
