package io.ratelimit.benchmarks.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

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

    /** How long after a time answers came still that were not the buckets', in seconds. */
    double lastByFailureAfter(double seconds) {
        return all().stream()
                .filter(request -> request.outcome().byFailure())
                .mapToDouble(request -> secondsOf(request) - seconds)
                .max()
                .orElse(0);
    }
}
