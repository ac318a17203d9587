package io.ratelimit.jgroups;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {

    private final ReplayWindow window = new ReplayWindow();

    @Test
    void eachNumberIsAdmittedOnce() {
        assertThat(window.admit(0)).isTrue();
        assertThat(window.admit(0)).isFalse();
        assertThat(window.admit(5)).isTrue();
        assertThat(window.admit(3)).isTrue();
        assertThat(window.admit(3)).isFalse();
        assertThat(window.admit(5)).isFalse();
    }

    @Test
    void whatIsMuchOlderThanTheNewestIsNotAdmitted() {
        assertThat(window.admit(0)).isTrue();
        assertThat(window.admit(10_000)).isTrue();
        assertThat(window.admit(10_000 - 4_095)).isTrue();
        assertThat(window.admit(10_000 - 4_096)).isFalse();
        assertThat(window.admit(Long.MAX_VALUE)).isTrue();
        assertThat(window.admit(10_000)).isFalse();
        assertThat(window.admit(-1)).isFalse();
    }

    @Test
    void whatIsOlderThanTheFirstIsNotAdmitted() {
        assertThat(window.admit(100)).isTrue();
        assertThat(window.admit(99)).isFalse();
        assertThat(window.admit(101)).isTrue();
    }

    @Test
    void numbersThatOvertakeOneAnotherAreAllAdmittedOnce() {
        Random random = new Random(4);
        Set<Long> admitted = new HashSet<>();
        window.admit(0);
        admitted.add(0L);
        for (long from = 1; from < 100_000; from += 1_000) {
            List<Long> some =
                    new ArrayList<>(LongStream.range(from, from + 1_000).boxed().toList());
            Collections.shuffle(some, random);
            for (long number : some) {
                assertThat(window.admit(number)).isTrue();
                assertThat(admitted.add(number)).isTrue();
                assertThat(window.admit(number)).isFalse();
            }
        }
    }
}
