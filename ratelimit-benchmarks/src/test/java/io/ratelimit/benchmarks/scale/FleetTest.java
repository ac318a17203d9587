package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FleetTest {

    @Test
    void aMillionDecisionsPerCoreTakeFifteenCores() {
        Fleet fleet = new Fleet(1_000_000);

        assertThat(fleet.cores()).isEqualTo(15);
        assertThat(fleet.hosts(8)).isEqualTo(2);
        assertThat(fleet.hosts(32)).isEqualTo(1);
    }
}
