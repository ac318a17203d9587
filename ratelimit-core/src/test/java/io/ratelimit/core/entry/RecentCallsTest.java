package io.ratelimit.core.entry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import org.junit.jupiter.api.Test;

class RecentCallsTest {

    private final CallIds first = new CallIds();
    private final CallIds second = new CallIds();

    @Test
    void theLastCallOfEachHostIsKnown() {
        long old = first.next();
        long newer = first.next();
        long others = second.next();
        RecentCalls calls =
                RecentCalls.NONE.with(old, allowed(0)).with(others, allowed()).with(newer, allowed(0, 2));
        assertThat(calls.allowed(old)).isNull();
        assertThat(calls.allowed(newer)).isEqualTo(allowed(0, 2));
        assertThat(calls.allowed(others)).isEqualTo(allowed());
    }

    @Test
    void theyTravel() throws Exception {
        long one = first.next();
        long other = second.next();
        RecentCalls sent = RecentCalls.NONE.with(one, allowed(300)).with(other, allowed());
        RecentCalls received = RecentCalls.of(sent.toBytes());
        assertThat(received.allowed(one)).isEqualTo(allowed(300));
        assertThat(received.allowed(other)).isEqualTo(allowed());
    }

    @Test
    void anEntryStaysSmallHoweverManyHostsAskForIt() {
        RecentCalls calls = RecentCalls.NONE;
        for (int i = 0; i < 1_000; i++) {
            calls = calls.with(new CallIds().next(), allowed(0));
        }
        long last = first.next();
        calls = calls.with(last, allowed(0));
        assertThat(calls.toBytes()).hasSizeLessThan(400);
        assertThat(calls.allowed(last)).isNotNull();
    }

    private static BitSet allowed(int... steps) {
        BitSet allowed = new BitSet();
        for (int step : steps) {
            allowed.set(step);
        }
        return allowed;
    }
}
