package io.ratelimit.server.traffic;

import java.util.List;
import java.util.Map;

/** Reports as hosts send them. */
final class Reports {

    private Reports() {}

    static HostReport of(String host, String tag) {
        return new HostReport(
                host, tag, HostReport.Origin.SOURCE, 5L, "unreadable", 1, 1, List.of(), List.of(), 0, List.of());
    }

    static HostReport counts(long from, long to, HostReport.RuleCounts... rules) {
        return new HostReport(
                "a/1", null, HostReport.Origin.SOURCE, null, null, from, to, List.of(rules), List.of(), 0, List.of());
    }

    static HostReport refused(long at, HostReport.RefusedClient... clients) {
        return new HostReport(
                "a/1", null, HostReport.Origin.SOURCE, null, null, at, at, List.of(), List.of(clients), 0, List.of());
    }

    static HostReport requests(double share, List<RecordedRequest> requests) {
        return new HostReport(
                "a/1", null, HostReport.Origin.SOURCE, null, null, 1, 1, List.of(), List.of(), share, requests);
    }

    static RecordedRequest request(long at, String path) {
        return new RecordedRequest(
                at, "GET", path, null, "alice", null, null, Map.of(), Map.of(), Map.of(), 200, 10L, false);
    }
}
