package io.ratelimit.benchmarks.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.ratelimit.benchmarks.cluster.Request.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LedgerTest {

    private static final ScenarioLimit LIMIT = new ScenarioLimit(60, 1_000, 30, 2);

    private final SplittableRandom random = new SplittableRandom(4711);

    @Test
    void sumsSayWhatCountingEveryRequestSays() {
        for (int run = 0; run < 20; run++) {
            compare();
        }
    }

    private void compare() {
        Times times = Times.of(requests(), outcome -> true);
        Ledger ledger = new Ledger(LIMIT, times);
        for (int i = 0; i < times.count(); i++) {
            if (!ledger.hasSpent(i)) {
                assertThat(ledger.fewestTokens(i)).isCloseTo(counted(times, ledger, i), within(1e-6));
                if (random.nextInt(5) == 0) {
                    ledger.spend(i);
                }
            }
        }
    }

    private List<Request> requests() {
        List<Request> requests = new ArrayList<>();
        long sent = random.nextLong();
        for (int i = 0; i < 300; i++) {
            sent += random.nextInt(3) * 10_000_000L;
            long took = random.nextInt(10) == 0 ? random.nextLong(1_000_000_000L) : random.nextInt(3) * 10_000_000L;
            requests.add(new Request(0, sent, sent + took, random.nextBoolean() ? Outcome.ADMITTED : Outcome.REFUSED));
        }
        return requests;
    }

    /** Goes back from the last request that may have come first. */
    private static double counted(Times times, Ledger ledger, int request) {
        double tokens = 0;
        double fewest = LIMIT.burst();
        for (int i = times.count() - 1; i >= 0; i--) {
            if (ledger.hasSpent(i) && times.sent(i) - times.answered(request) <= 0) {
                tokens += LIMIT.cost();
                long idle = Math.max(0, times.sent(request) - times.answered(i));
                fewest = Math.min(fewest, LIMIT.burst() + idle * LIMIT.perSecond() / 1e9 - tokens);
            }
        }
        return fewest;
    }
}
