package io.ratelimit.server.traffic.replay;

import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.stream.Stream;

/** Counts what was refused while buckets may hold more than they really did. Not thread-safe. */
final class WarmUpTally {

    private final long beginMillis;
    private final long lengthMillis;
    private final Estimator reallyRefused = new Estimator();
    private final Estimator passed = new Estimator();

    /**
     * Begins with a recording.
     *
     * @param sets the rules that are replayed
     * @param beginMillis when its first request was decided
     * @param endMillis when its last one was
     */
    WarmUpTally(Collection<RuleSet> sets, long beginMillis, long endMillis) {
        this.beginMillis = beginMillis;
        double longest = sets.stream()
                .flatMap(set -> set.rules().stream())
                .flatMap(WarmUpTally::limits)
                .mapToDouble(WarmUpTally::millisToFill)
                .max()
                .orElse(0);
        this.lengthMillis = (long) Math.min((double) (endMillis - beginMillis), longest);
    }

    private static Stream<Limit> limits(Rule rule) {
        return Stream.concat(
                rule.limits().stream(),
                rule.overrides().stream().map(LimitOverride::limits).flatMap(List::stream));
    }

    /** One that refuses always has nothing to fill, and requests under way are over soon. */
    private static double millisToFill(Limit limit) {
        double periods = limit.tokens() == 0 ? 0 : Math.max(1, (double) limit.capacity() / limit.tokens());
        return (double) limit.period().toMillis() * periods;
    }

    void countRefused(long millis, boolean passesInReplay, String client, double share) {
        if (millis - beginMillis < lengthMillis) {
            reallyRefused.count(client, share);
            if (passesInReplay) {
                passed.count(client, share);
            }
        }
    }

    WarmUp warmUp() {
        return new WarmUp(Duration.ofMillis(lengthMillis), reallyRefused.estimate(), passed.estimate());
    }
}
