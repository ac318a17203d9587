package io.ratelimit.core.permits;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Permits;
import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.store.BucketStore;
import java.util.concurrent.ScheduledExecutorService;

/** Makes the permits of an engine's rules. Thread-safe. */
public final class RulePermits implements AutoCloseable {

    private final RulesCache rules;
    private final BucketStore buckets;
    private final RateLimitListener listener;
    private final TimeSource timeSource;
    private final Pause pause;
    private final TimerAlarm alarm;

    /**
     * Makes permits that wait by the clocks of this machine.
     *
     * @param rules the rules in force
     * @param buckets where buckets live; its stages must complete within the timeout that they are given
     * @param listener hears of failures; does not throw
     * @param timeSource tells how much of a caller's time is left
     * @param timer calls those back who wait without a thread; stays its owner's to shut down
     */
    public RulePermits(
            RulesCache rules,
            BucketStore buckets,
            RateLimitListener listener,
            TimeSource timeSource,
            ScheduledExecutorService timer) {
        this(rules, buckets, listener, timeSource, Pause.PARK, new TimerAlarm(timer));
    }

    RulePermits(
            RulesCache rules,
            BucketStore buckets,
            RateLimitListener listener,
            TimeSource timeSource,
            Pause pause,
            TimerAlarm alarm) {
        this.rules = rules;
        this.buckets = buckets;
        this.listener = listener;
        this.timeSource = timeSource;
        this.pause = pause;
        this.alarm = alarm;
    }

    /**
     * The permits of a client under a rule.
     *
     * @param rule the rule's name, looked up at each call
     * @param client whose buckets
     * @return the permits; they keep nothing themselves
     */
    public Permits of(String rule, ClientIdentifier client) {
        return new BucketPermits(new RuleBucket(rules, buckets, listener, rule, client), timeSource, pause, alarm);
    }

    /** Answers those who wait without a thread: no turn comes any more. */
    @Override
    public void close() {
        alarm.close();
    }
}
