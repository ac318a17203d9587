package io.ratelimit.core;

import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.queue.LineKey;
import io.ratelimit.core.queue.Places;
import io.ratelimit.core.queue.Turn;
import io.ratelimit.core.queue.WaitingLines;
import io.ratelimit.core.queue.WantedPlace;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.store.Charge;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Spends what requests are charged, ahead of time where rules let them wait. A request is asked about as any other first, and
 * only if nothing but such rules refuses it a second time, with the wait: so it takes a place in a line only if it needs one,
 * and who is in line has the turn that its debt in the bucket says, whichever host it came to. Thread-safe.
 */
final class QueueingLedger {

    private final ChargeLedger ledger;
    private final WaitingLines lines;

    QueueingLedger(ChargeLedger ledger, WaitingLines lines) {
        this.ledger = ledger;
        this.lines = lines;
    }

    /** Spends what a request is charged, all or nothing. Waits for the store. */
    Turn spend(List<RuleCharge> charges) {
        EngineDecision first = ledger.spend(charges).toCompletableFuture().join();
        List<WantedPlace> wanted = placesFor(first);
        Places places = wanted.isEmpty() ? null : lines.reserve(wanted);
        return places == null ? Turn.now(first) : spend(charges, first, places);
    }

    private Turn spend(List<RuleCharge> charges, EngineDecision refusal, Places places) {
        boolean waits = false;
        try {
            EngineDecision second = ledger.spend(
                            charges.stream().map(QueueingLedger::waiting).toList())
                    .toCompletableFuture()
                    .join();
            long wait = second.allowed() ? second.turnNanos() : 0;
            waits = wait > 0;
            return waits
                    ? places.turn(
                            second,
                            refusal,
                            wait,
                            charges.get(0).charge().cost(),
                            charges.size() == 1,
                            () -> ledger.takeBack(second))
                    : Turn.now(second);
        } finally {
            if (!waits) {
                places.release();
            }
        }
    }

    /** In each line that refused; none where something else refused too, nothing did, or nobody may wait. */
    private static List<WantedPlace> placesFor(EngineDecision decision) {
        if (decision.allowed() || decision.charges().stream().anyMatch(QueueingLedger::countsUnderWay)) {
            return List.of();
        }
        List<WantedPlace> wanted = new ArrayList<>(1);
        for (int i = 0; i < decision.charges().size(); i++) {
            RuleCharge charge = decision.charges().get(i);
            if (!charge.charge().kind().decides()
                    || decision.outcome().charges().get(i).admits()) {
                continue;
            }
            OnExceeded.Line line = lineOf(charge);
            if (line == null) {
                return List.of();
            }
            Charge refused = charge.charge();
            wanted.add(new WantedPlace(new LineKey(refused.bucket().name(), refused.client()), line.places()));
        }
        return wanted;
    }

    /** Who waits is not under way, and must not keep those out who would be. */
    private static boolean countsUnderWay(RuleCharge charge) {
        return charge.rule().countsUnderWay();
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
