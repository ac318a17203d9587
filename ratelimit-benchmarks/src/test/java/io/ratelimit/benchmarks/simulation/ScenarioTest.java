package io.ratelimit.benchmarks.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class ScenarioTest {

    @Test
    void theLimitGrowsWithTheHostsUnlessItIsSet() {
        assertThat(Scenario.of(List.of("--hosts", "3")).limit()).isEqualTo(100);
        assertThat(Scenario.of(List.of("--hosts", "1000")).limit()).isEqualTo(2_000);
        assertThat(Scenario.of(List.of("--hosts", "1000", "--limit", "7")).burst())
                .isEqualTo(7);
    }

    @Test
    void whatIsOutOfItsRangeIsNamedWithWhatWouldBeRight() {
        assertThatThrownBy(() -> Scenario.of(List.of("--loss", "1.5")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--loss is 1.5: it must be 0 to 1");
        assertThatThrownBy(() -> Scenario.of(List.of("--hosts", "10", "--asked", "11")))
                .hasMessage("--asked is 11: it must be 0 to 10");
    }
}
