package io.ratelimit.server.traffic.replay;

import com.google.common.collect.HashMultiset;
import com.google.common.collect.Multiset;
import io.ratelimit.ClientIdentifier;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.store.SpendOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Who waits in which line. Nobody leaves before the turn. Not thread-safe. */
final class ReplayedLines {

    private final Timeline timeline;
    private final Multiset<Line> waiting = HashMultiset.create();

    private record Line(String bucket, ClientIdentifier client) {}

    ReplayedLines(Timeline timeline) {
        this.timeline = timeline;
    }

    /**
     * The same charges of a request that waits.
     *
     * @param charges what was refused
     * @return empty where something refuses it that lets nobody wait, or has no place
     */
    Optional<List<RuleCharge>> waiting(List<RuleCharge> charges, SpendOutcome refusal) {
        if (charges.stream().anyMatch(charge -> charge.rule().countsUnderWay())) {
            return Optional.empty();
        }
        for (int i = 0; i < charges.size(); i++) {
            RuleCharge charge = charges.get(i);
            OnExceeded.Line line = lineOf(charge);
            if (refuses(charge, refusal, i) && (line == null || waiting.count(keyOf(charge)) >= line.places())) {
                return Optional.empty();
            }
        }
        return Optional.of(charges.stream().map(ReplayedLines::waiting).toList());
    }

    /** Takes the places until the turn. */
    void enter(List<RuleCharge> charges, SpendOutcome refusal, long waitNanos) {
        List<Line> taken = new ArrayList<>();
        for (int i = 0; i < charges.size(); i++) {
            if (refuses(charges.get(i), refusal, i)) {
                taken.add(keyOf(charges.get(i)));
            }
        }
        waiting.addAll(taken);
        timeline.later(waitNanos, () -> taken.forEach(waiting::remove));
    }

    private static boolean refuses(RuleCharge charge, SpendOutcome refusal, int place) {
        return charge.charge().kind().decides() && !refusal.charges().get(place).admits();
    }

    private static Line keyOf(RuleCharge charge) {
        return new Line(charge.charge().bucket().name(), charge.charge().client());
    }

    private static RuleCharge waiting(RuleCharge charge) {
        OnExceeded.Line line = lineOf(charge);
        return line == null
                ? charge
                : new RuleCharge(
                        charge.rule(), charge.charge().waiting(line.maxWait().toNanos()));
    }

    private static OnExceeded.@Nullable Line lineOf(RuleCharge charge) {
        return charge.rule().rule().onExceeded().line();
    }
}
