package io.ratelimit.server.traffic.replay;

import io.ratelimit.server.traffic.RecordedRequest;
import io.ratelimit.server.traffic.SampledRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A recorded request that a test changes in parts. */
record Recorded(RecordedRequest request) {

    /** Milliseconds since the epoch at which recordings of tests begin. */
    static final long BEGIN = 1_800_000_000_000L;

    static Recorded get(String path, String user, long millis) {
        return new Recorded(new RecordedRequest(
                BEGIN + millis,
                "GET",
                path,
                null,
                user,
                "192.0.2.7",
                null,
                Map.of(),
                Map.of(),
                Map.of(),
                200,
                10L,
                false));
    }

    Recorded answered(@Nullable Integer status, long millis) {
        return with(request.headers(), status, millis, false);
    }

    Recorded refused() {
        return with(request.headers(), null, null, true);
    }

    Recorded header(String name, String value) {
        return with(Map.of(name, List.of(value)), request.status(), request.millis(), request.refused());
    }

    private Recorded with(
            Map<String, List<String>> headers, @Nullable Integer status, @Nullable Long millis, boolean refused) {
        return new Recorded(new RecordedRequest(
                request.at(),
                request.method(),
                request.path(),
                null,
                request.user(),
                request.ip(),
                request.cost(),
                headers,
                request.cookies(),
                request.attributes(),
                status,
                millis,
                refused));
    }

    Recorded cost(long cost) {
        return new Recorded(new RecordedRequest(
                request.at(),
                request.method(),
                request.path(),
                null,
                request.user(),
                request.ip(),
                cost,
                request.headers(),
                Map.of(),
                Map.of(),
                request.status(),
                request.millis(),
                request.refused()));
    }

    SampledRequest whole() {
        return sampled(1);
    }

    SampledRequest sampled(double share) {
        return new SampledRequest(request, share);
    }
}
