package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventQueueTest {

    private final VirtualClock clock = new VirtualClock();
    private final EventQueue events = new EventQueue(clock);
    private final List<Integer> happened = new ArrayList<>();

    @Test
    void whatIsDueAtTheSameTimeHappensInTheOrderInWhichItWasAdded() {
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            events.in(5, () -> happened.add(number));
        }
        events.runUntil(5);
        assertThat(happened).hasSize(1_000).isSorted();
    }

    @Test
    void timeNeverGoesBackAndNothingIsForgotten() {
        Random random = new Random(1);
        List<Long> times = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            events.in(random.nextInt(1_000), () -> {
                times.add(clock.nanoTime());
                if (random.nextInt(4) == 0) {
                    events.in(random.nextInt(100), () -> times.add(clock.nanoTime()));
                }
            });
        }
        events.runUntil(2_000);
        assertThat(times).hasSizeGreaterThan(12_000).isSorted();
        assertThat(clock.nanoTime()).isEqualTo(2_000);
    }

    @Test
    void whatIsDueLaterWaits() {
        events.in(10, () -> happened.add(10));
        events.runUntil(9);
        assertThat(happened).isEmpty();
        events.runUntil(10);
        assertThat(happened).containsExactly(10);
    }
}
