package io.ratelimit.server.traffic.replay;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts requests of a sample of clients. A client is in the sample or out of it as a whole, so that the error comes from
 * how much single clients weigh (Horvitz and Thompson): each counts 1/share times, with a variance of (1 - share) times the
 * square of that. Not thread-safe.
 */
final class Estimator {

    private long seenWhole;
    private final Map<String, Part> sampled = new HashMap<>();

    /**
     * The requests of one client.
     *
     * @param seen how many were seen
     * @param scaled how many they stand for
     */
    private record Part(long seen, double scaled) {

        Part plus(Part other) {
            return new Part(seen + other.seen, scaled + other.scaled);
        }

        double variance() {
            return (1 - seen / scaled) * scaled * scaled;
        }
    }

    void count(String client, double share) {
        if (share >= 1) {
            seenWhole++;
        } else {
            sampled.merge(client, new Part(1, 1 / share), Part::plus);
        }
    }

    Estimate estimate() {
        double all = seenWhole;
        double variance = 0;
        for (Part part : sampled.values()) {
            all += part.scaled;
            variance += part.variance();
        }
        return new Estimate(Math.round(all), all == 0 ? 0 : Math.sqrt(variance) / all);
    }
}
