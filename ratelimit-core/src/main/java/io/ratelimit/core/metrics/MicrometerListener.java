package io.ratelimit.core.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import io.ratelimit.rules.RuleSet;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Meters of one engine in a Micrometer registry: {@code ratelimit.decisions}, {@code ratelimit.decision.duration},
 * {@code ratelimit.store.duration}, {@code ratelimit.failures}, {@code ratelimit.keys}, {@code ratelimit.waiting} and
 * {@code ratelimit.rules.version}. Tags are names of rules, outcomes and kinds of failures, and never a client; rules
 * that are taken out lose their meters, and beyond a thousand rules the others count together as {@code (other)}. All
 * meters are removed when the engine is closed. Thread-safe.
 */
public final class MicrometerListener implements RateLimitListener {

    private static final Duration[] DECISION_BOUNDARIES = {
        Duration.ofNanos(500),
        Duration.ofNanos(1_000),
        Duration.ofNanos(10_000),
        Duration.ofNanos(100_000),
        Duration.ofMillis(1),
        Duration.ofMillis(5),
        Duration.ofMillis(20),
        Duration.ofMillis(100)
    };

    private static final Duration[] STORE_BOUNDARIES = {
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(20),
        Duration.ofMillis(100),
        Duration.ofSeconds(1)
    };

    private final OwnMeters meters;
    private final DecisionMeters decisions;
    private final FailureMeters failures;
    private final Timer decisionTime;
    private final Timer storeTime;
    private final AtomicLong keys = new AtomicLong();
    private final AtomicLong waiting = new AtomicLong();
    private final AtomicLong version = new AtomicLong();

    /**
     * Makes the meters.
     *
     * @param registry where they live
     */
    public MicrometerListener(MeterRegistry registry) {
        this(registry, Tags.empty());
    }

    /**
     * Makes the meters with tags of their own.
     *
     * @param registry where they live
     * @param tags stand on each of them. Engines that share a registry need a tag that tells them apart
     */
    public MicrometerListener(MeterRegistry registry, Iterable<Tag> tags) {
        this.meters = new OwnMeters(registry, Tags.of(tags));
        this.decisions = new DecisionMeters(meters);
        this.failures = new FailureMeters(meters);
        this.decisionTime = meters.timer(
                "ratelimit.decision.duration",
                "Time of a decision, of one in sixteen, waits for the shared store included",
                DECISION_BOUNDARIES);
        this.storeTime = meters.timer(
                "ratelimit.store.duration",
                "Time of a call to the shared store until its answer or failure",
                STORE_BOUNDARIES);
        meters.gauge("ratelimit.keys", "Buckets that this host keeps", keys);
        meters.gauge("ratelimit.waiting", "Requests that wait for their turn", waiting);
        meters.gauge("ratelimit.rules.version", "Version of the rules in force", version);
    }

    /**
     * Makes the meters in the registry that all of a process shares.
     *
     * @param tags names and values, which stand on each of them
     * @return the listener
     * @see Metrics#globalRegistry
     */
    public static MicrometerListener global(Map<String, String> tags) {
        Tags all = Tags.empty();
        for (Map.Entry<String, String> tag : tags.entrySet()) {
            all = all.and(tag.getKey(), tag.getValue());
        }
        return new MicrometerListener(Metrics.globalRegistry, all);
    }

    @Override
    public void onDecision(RequestContext context, Decision decision) {
        decisions.count(decision);
    }

    @Override
    public void onDecisionTime(long nanos) {
        decisionTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onStoreTime(long nanos) {
        storeTime.record(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public void onKeys(long kept) {
        keys.set(kept);
    }

    @Override
    public void onWaiting(long now) {
        waiting.set(now);
    }

    @Override
    public void onReload(RuleSet rules) {
        version.set(rules.version());
        decisions.reload(rules);
    }

    @Override
    public void onFailure(String kind, Throwable cause) {
        failures.count(kind);
    }

    @Override
    public void onClose() {
        meters.close();
    }
}
