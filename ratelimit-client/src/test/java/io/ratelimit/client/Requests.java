package io.ratelimit.client;

import io.ratelimit.RequestContext;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Requests of tests. */
final class Requests {

    private Requests() {}

    static RequestContext get(String path) {
        return of("GET", path, null);
    }

    static RequestContext by(String user) {
        return of("GET", "/api/orders", user);
    }

    static SentRequest of(String method, String path, String user) {
        return new SentRequest(
                method, path, null, RequestContext.NO_COST, "192.0.2.7", user, Map.of(), Map.of(), Map.of(), Map.of());
    }

    /** A request with everything in it. */
    static RequestContext full() {
        Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("X-Api-Key", List.of("k\"1"));
        headers.put("X-Many", List.of("a", "b"));
        headers.put("Authorization", List.of("Bearer of-the-client"));
        return new SentRequest(
                "POST",
                "/api/reports/7",
                "export",
                3,
                "2001:db8::1",
                "alice",
                headers,
                Map.of("sid", "1"),
                Map.of("tier", "gold", "seats", 7),
                Map.of("limit", List.of("5", "a b&c")));
    }
}
