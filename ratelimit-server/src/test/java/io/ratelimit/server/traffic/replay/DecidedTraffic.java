package io.ratelimit.server.traffic.replay;

import io.ratelimit.Decision;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RulesText;
import io.ratelimit.server.traffic.RecordedRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;

/** Decides generated traffic as a host does, by an engine of its own, and records it. */
final class DecidedTraffic {

    private record Ending(long millis, Decision decision, int status) {}

    private DecidedTraffic() {}

    /** A request that comes at a time, with what the application would make of it. */
    record Coming(long millis, String method, String path, String user, int status, long duration) {}

    static List<RecordedRequest> decide(String rules, List<Coming> traffic) {
        ManualTimeSource clock = new ManualTimeSource();
        List<RecordedRequest> decided = new ArrayList<>();
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(new RulesText(rules))
                .setting("logRefusals", "0")
                .timeSource(clock)
                .build()) {
            engine.start();
            PriorityQueue<Ending> endings = new PriorityQueue<>(Comparator.comparingLong(Ending::millis));
            long now = 0;
            for (Coming coming : traffic) {
                while (!endings.isEmpty() && endings.peek().millis() <= coming.millis()) {
                    Ending ending = endings.remove();
                    clock.advance(Duration.ofMillis(ending.millis() - now));
                    now = ending.millis();
                    ending.decision().settlement().complete(ending.status());
                }
                clock.advance(Duration.ofMillis(coming.millis() - now));
                now = coming.millis();
                RecordedRequest request = recorded(coming, false);
                Decision decision = engine.limiter().decide(new RecordedContext(request));
                decided.add(decision.allowed() ? request : recorded(coming, true));
                if (decision.allowed()) {
                    endings.add(new Ending(now + coming.duration(), decision, coming.status()));
                }
            }
        }
        return decided;
    }

    private static RecordedRequest recorded(Coming coming, boolean refused) {
        return new RecordedRequest(
                Recorded.BEGIN + coming.millis(),
                coming.method(),
                coming.path(),
                null,
                coming.user(),
                "192.0.2.7",
                null,
                Map.of(),
                Map.of(),
                Map.of(),
                refused ? null : coming.status(),
                refused ? null : coming.duration(),
                refused);
    }
}
