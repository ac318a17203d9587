package io.ratelimit.server.traffic.replay;

import io.ratelimit.TimeSource;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.traffic.SampledRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Finds out what a draft of rules would have done to recorded requests: they are decided again, by the draft and by the rules
 * in force, each at its time, by the engine's own rules and buckets. It is as if one host had had all of them.
 *
 * <p>The application is there in what was recorded only: a request costs what the application or a resolver said then, has
 * the attributes that it had then, is settled by the status and after the time that the application answered with and took.
 * What hosts refused, the application has not answered: the answer to the same client's last request for the same path
 * stands in.
 *
 * <p>Where a share of the clients was recorded, counts are scaled up. A bucket that all clients share ({@code key: service})
 * is charged 1/share times the cost of each request, whole tokens of it at a time; the rule is left out where its limits are
 * too small for that. Immutable and thread-safe.
 */
public final class Replay {

    /** A replay ends after so long, however many requests are left. */
    public static final Duration LONGEST = Duration.ofSeconds(5);

    private final RuleSet draft;
    private final RuleSet inForce;
    private final Instant published;
    private final TimeSource timeSource;

    /**
     * Makes a replay.
     *
     * @param draft the rules to be tried
     * @param inForce the rules in force, beside which they are told; {@link RuleSet#open} where there are none
     * @param published when the rules in force were published
     * @param timeSource tells when the replay must end; requests have their own time
     */
    public Replay(RuleSet draft, RuleSet inForce, Instant published, TimeSource timeSource) {
        this.draft = draft;
        this.inForce = inForce;
        this.published = published;
        this.timeSource = timeSource;
    }

    /**
     * Runs a recording. Takes {@link #LONGEST} at most.
     *
     * @param recording the requests in the order of their time
     * @return what became of them
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    public ReplayResult run(List<SampledRequest> recording) {
        long begin = timeSource.nanoTime();
        return new ReplayRun(draft, inForce, published, recording)
                .run(() -> timeSource.nanoTime() - begin >= LONGEST.toNanos());
    }
}
