package io.ratelimit.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChargingTest {

    @Test
    void onlyTheNamedResponsesPay() {
        Charging charging = new Charging.OnResponse(List.of(StatusRange.of(401), StatusRange.ofClass(5)));

        assertThat(charging.isChargedFor(401)).isTrue();
        assertThat(charging.isChargedFor(500)).isTrue();
        assertThat(charging.isChargedFor(599)).isTrue();
        assertThat(charging.isChargedFor(200)).isFalse();
        assertThat(charging.isChargedFor(402)).isFalse();
        assertThat(charging.isChargedFor(499)).isFalse();
        assertThat(charging.isChargedFor(600)).isFalse();
    }

    @Test
    void everyResponsePaysWhereTheRequestIsCharged() {
        assertThat(Charging.ON_REQUEST.isChargedFor(200)).isTrue();
        assertThat(Charging.ON_REQUEST.isChargedFor(503)).isTrue();
    }

    @Test
    void aChargeByTheResponseNeedsAStatus() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Charging.OnResponse(List.of()))
                .withMessageContaining("at least one status");
    }

    @ParameterizedTest
    @CsvSource({"99, 99", "600, 600", "500, 499", "100, 600", "-1, 200"})
    void aRangeOutsideOfHttpIsRefused(int first, int last) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new StatusRange(first, last))
                .withMessageContaining("between 100 and 599");
    }

    @Test
    void aRangeReadsLikeTheRulesFile() {
        assertThat(StatusRange.of(401)).hasToString("401");
        assertThat(StatusRange.ofClass(5)).hasToString("5xx");
        assertThat(new StatusRange(401, 403)).hasToString("401-403");
    }
}
