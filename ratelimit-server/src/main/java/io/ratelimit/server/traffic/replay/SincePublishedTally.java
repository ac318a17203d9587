package io.ratelimit.server.traffic.replay;

import io.ratelimit.server.traffic.RecordedRequest;

/** Counts what was decided after the rules in force were published. Not thread-safe. */
final class SincePublishedTally {

    private final long publishedMillis;
    private final Estimator requests = new Estimator();
    private final Estimator reallyRefused = new Estimator();
    private final Estimator refused = new Estimator();

    SincePublishedTally(long publishedMillis) {
        this.publishedMillis = publishedMillis;
    }

    void count(RecordedRequest request, Verdict byInForce, String client, double share) {
        if (request.at() < publishedMillis) {
            return;
        }
        requests.count(client, share);
        if (request.refused()) {
            reallyRefused.count(client, share);
        }
        if (byInForce.isRefused()) {
            refused.count(client, share);
        }
    }

    SincePublished sincePublished() {
        return new SincePublished(requests.estimate(), reallyRefused.estimate(), refused.estimate());
    }
}
