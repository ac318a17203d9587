package io.ratelimit.benchmarks.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * What became of the requests of a run, against one bucket for each client that sees everything.
 *
 * @param requests how many there were
 * @param admitted how many passed
 * @param unasked how many were answered without the buckets
 * @param broken how many got no answer
 * @param excess the most tokens that a client got beyond B + R·w, over the worst time w
 * @param falseRefusals how many were refused for certain though the limit allowed them
 * @param half the median of how long answers took, in nanoseconds
 * @param p99 the 99th percentile of that
 * @param longest the longest of that
 */
record Judgement(
        int requests,
        int admitted,
        int unasked,
        int broken,
        double excess,
        int falseRefusals,
        long half,
        long p99,
        long longest) {

    private static final double ROUNDING = 1e-6;

    static Judgement of(Scenario scenario, List<Request> requests) {
        Map<Integer, List<Request>> clients =
                requests.stream().collect(Collectors.groupingBy(Request::client, TreeMap::new, Collectors.toList()));
        double excess = 0;
        int falseRefusals = 0;
        for (List<Request> client : clients.values()) {
            excess = Math.max(excess, excess(scenario, client));
            falseRefusals += falseRefusals(scenario, client);
        }
        long[] took = requests.stream().mapToLong(Request::tookNanos).sorted().toArray();
        return new Judgement(
                requests.size(),
                count(requests, Request.Outcome::passed),
                count(requests, Request.Outcome::byFailure),
                count(requests, outcome -> outcome == Request.Outcome.BROKEN),
                excess,
                falseRefusals,
                quantile(took, 0.5),
                quantile(took, 0.99),
                quantile(took, 1));
    }

    private static int count(List<Request> requests, Predicate<Request.Outcome> wanted) {
        return (int) requests.stream()
                .filter(request -> wanted.test(request.outcome()))
                .count();
    }

    private static long quantile(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
    }

    /** A decision is made at some time between question and answer, all of them nearer to the one or to the other. */
    private static double excess(Scenario scenario, List<Request> requests) {
        return Math.min(
                excess(scenario, requests, Request::sentNanos), excess(scenario, requests, Request::answeredNanos));
    }

    private static double excess(Scenario scenario, List<Request> requests, ToLongFunction<Request> time) {
        List<Request> passed = passed(requests, time);
        if (passed.isEmpty()) {
            return 0;
        }
        Witness witness = new Witness(scenario.burst(), scenario.rate(), time.applyAsLong(passed.get(0)));
        for (Request request : passed) {
            witness.advanceTo(time.applyAsLong(request));
            witness.spend();
        }
        return witness.excess();
    }

    private static List<Request> passed(List<Request> requests, ToLongFunction<Request> time) {
        return requests.stream()
                .filter(request -> request.outcome().passed())
                .sorted(Comparator.comparingLong(time))
                .toList();
    }

    /**
     * Those that no order of the decisions explains: even if all that was asked for before the answer came first, a token
     * was there.
     */
    private static int falseRefusals(Scenario scenario, List<Request> requests) {
        List<Request> passed = passed(requests, Request::sentNanos);
        List<Request> refused = requests.stream()
                .filter(request -> request.outcome() == Request.Outcome.REFUSED)
                .sorted(Comparator.comparingLong(Request::sentNanos))
                .toList();
        if (refused.isEmpty()) {
            return 0;
        }
        long begin = requests.stream().mapToLong(Request::sentNanos).min().orElse(0);
        Witness witness = new Witness(scenario.burst(), scenario.rate(), begin);
        double idle = scenario.mayLieIdle();
        int next = 0;
        int wrong = 0;
        for (Request request : refused) {
            while (next < passed.size() && passed.get(next).sentNanos() - request.answeredNanos() <= 0) {
                witness.advanceTo(passed.get(next).sentNanos());
                witness.spend();
                next++;
            }
            witness.advanceTo(request.sentNanos());
            double refilledMeanwhile = request.tookNanos() * scenario.rate() / 1e9;
            wrong += witness.tokens() >= 1 + refilledMeanwhile + idle + ROUNDING ? 1 : 0;
        }
        return wrong;
    }
}
