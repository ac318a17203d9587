package io.ratelimit.benchmarks.cluster;

import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Times of requests, in the order in which they were answered. Immutable. */
final class Times {

    private final long[] sent;
    private final long[] answered;
    private final Request.Outcome[] outcomes;

    private Times(List<Request> inOrder) {
        this.sent = nanos(inOrder, Request::sentNanos);
        this.answered = nanos(inOrder, Request::answeredNanos);
        this.outcomes = inOrder.stream().map(Request::outcome).toArray(Request.Outcome[]::new);
    }

    static Times of(List<Request> requests, Predicate<Request.Outcome> wanted) {
        return new Times(requests.stream()
                .filter(request -> wanted.test(request.outcome()))
                .sorted(Comparator.comparingLong(Request::answeredNanos))
                .toList());
    }

    private static long[] nanos(List<Request> requests, ToLongFunction<Request> time) {
        return requests.stream().mapToLong(time).toArray();
    }

    int count() {
        return sent.length;
    }

    long sent(int request) {
        return sent[request];
    }

    long answered(int request) {
        return answered[request];
    }

    Request.Outcome outcome(int request) {
        return outcomes[request];
    }

    /** How many were answered before a time. */
    int answeredBefore(long nanos) {
        int from = 0;
        int to = count();
        while (from < to) {
            int middle = (from + to) >>> 1;
            if (answered[middle] - nanos < 0) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        return from;
    }

    /** How long the slowest answer took. */
    long longest() {
        long longest = 0;
        for (int i = 0; i < count(); i++) {
            longest = Math.max(longest, answered[i] - sent[i]);
        }
        return longest;
    }
}
