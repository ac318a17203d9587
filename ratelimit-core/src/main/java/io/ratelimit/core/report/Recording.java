package io.ratelimit.core.report;

import java.util.List;

/**
 * Requests of a share of the clients.
 *
 * @param share which share of the clients it is, from 0 to 1
 * @param requests all requests of these clients, in the order of their time
 */
record Recording(double share, List<RecordedRequest> requests) {

    static final Recording NONE = new Recording(0, List.of());

    /** That of half as many clients. */
    Recording halved() {
        double half = share / 2;
        return new Recording(
                half,
                requests.stream().filter(request -> request.place() < half).toList());
    }
}
