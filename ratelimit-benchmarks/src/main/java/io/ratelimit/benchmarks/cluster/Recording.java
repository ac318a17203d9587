package io.ratelimit.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The requests of a run.
 *
 * @param startNanos when the load began
 * @param byHost the requests that each host made
 */
record Recording(long startNanos, Map<Integer, List<Request>> byHost) {

    List<Request> all() {
        List<Request> all = new ArrayList<>();
        byHost.values().forEach(all::addAll);
        return all;
    }

    /** When a request was made, in seconds after the load began. */
    double secondsOf(Request request) {
        return (request.sentNanos() - startNanos) / 1e9;
    }

    /**
     * How long answers took to what was asked for in a time, without hosts that were stopped or killed then.
     *
     * @param from seconds after the load began
     * @param to the end of the time
     */
    Latency latency(Scenario scenario, double from, double to) {
        List<Request> asked = new ArrayList<>();
        byHost.forEach((host, requests) -> requests.stream()
                .filter(during(from, to))
                .filter(request -> scenario.events().stream()
                        .noneMatch(event -> event.host() == host && stops(event, secondsOf(request))))
                .forEach(asked::add));
        return Latency.of(asked);
    }

    private static boolean stops(Scenario.Event event, double seconds) {
        double margin = 1;
        return switch (event.action()) {
            case FREEZE -> seconds >= event.at() - margin && seconds <= event.end() + margin;
            case KILL -> true;
            case LEAVE, JOIN, CUT, MUTE, DELAY, CLOCK -> false;
        };
    }

    private Predicate<Request> during(double from, double to) {
        return request -> secondsOf(request) >= from && secondsOf(request) < to;
    }

    /**
     * How long after a fault more answers were not the buckets' than before it, in seconds. Some answers of a hundred that
     * come too late are no trouble: so many do on a busy machine.
     *
     * @param begin when the fault began, in seconds after the load
     * @param end when it ended
     */
    double recovery(double begin, double end) {
        double usual = 0.03;
        double recovered = end;
        for (Map.Entry<Integer, Double> second : failuresBySecond().entrySet()) {
            if (second.getKey() + 1 <= begin) {
                usual = Math.max(usual, second.getValue());
            } else if (second.getValue() > usual) {
                recovered = Math.max(recovered, second.getKey() + 1);
            }
        }
        return recovered - end;
    }

    /** The part of the answers to what was asked in each second that were not the buckets'. */
    private SortedMap<Integer, Double> failuresBySecond() {
        return all().stream()
                .collect(Collectors.groupingBy(
                        request -> (int) Math.floor(secondsOf(request)),
                        TreeMap::new,
                        Collectors.averagingInt(request -> request.outcome().byFailure() ? 1 : 0)));
    }
}
