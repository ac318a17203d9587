package io.ratelimit.core.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.LimitState;
import java.util.List;
import org.junit.jupiter.api.Test;

class RefusalTest {

    private static final long ASKED = Long.MAX_VALUE - 10;
    private static final long ANSWERED = ASKED + 30;

    @Test
    void noWaitIsToldTooShortThoughTheAnswerWasUnderWayForAWhile() {
        Refusal refusal = Refusal.of(List.of(new LimitState(0, 100, 100)), ASKED, ANSWERED, 1_000);
        assertThat(refusal.limitsAt(ANSWERED)).containsExactly(new LimitState(0, 100, 100));
        assertThat(refusal.limitsAt(ANSWERED + 40)).containsExactly(new LimitState(0, 60, 60));
    }

    @Test
    void nobodyIsRefusedForLongerThanTheStoreWouldHave() {
        Refusal refusal = Refusal.of(List.of(new LimitState(0, 100, 100)), ASKED, ANSWERED, 1_000);
        assertThat(refusal.isGood(ASKED + 99)).isTrue();
        assertThat(refusal.isGood(ASKED + 100)).isFalse();
    }
}
