package io.ratelimit.server.traffic.replay;

import io.ratelimit.server.traffic.RecordedRequest;
import io.ratelimit.server.traffic.SampledRequest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the application made of requests, or would have made of those that hosts refused: what it last made of the same
 * client's request for the same path, or of the first one that there is. Not thread-safe.
 */
final class Answers {

    /** No recording is that long. */
    private static final long LONGEST_MILLIS = 86_400_000;

    private static final Answer UNKNOWN = new Answer(null, 0);

    /** Empty where hosts refused nothing. */
    private final Map<Asked, Answer> known = new HashMap<>();

    private final boolean areGuessed;

    private record Asked(String client, String method, String path) {}

    Answers(ClientNames names, List<SampledRequest> recording) {
        this.areGuessed =
                recording.stream().anyMatch(sampled -> sampled.request().refused());
        for (SampledRequest sampled : recording) {
            RecordedRequest request = sampled.request();
            if (areGuessed && !request.refused()) {
                known.putIfAbsent(asked(names.of(request), request), recorded(request));
            }
        }
    }

    /** The answer to a client's request, the next in the order of time. */
    Answer to(String client, RecordedRequest request) {
        if (request.refused()) {
            return known.getOrDefault(asked(client, request), UNKNOWN);
        }
        Answer answer = recorded(request);
        if (areGuessed) {
            known.put(asked(client, request), answer);
        }
        return answer;
    }

    private static Answer recorded(RecordedRequest request) {
        Long millis = request.millis();
        return new Answer(request.status(), millis == null ? 0 : Math.min(millis, LONGEST_MILLIS));
    }

    private static Asked asked(String client, RecordedRequest request) {
        return new Asked(client, request.method(), request.path());
    }
}
