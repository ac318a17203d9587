package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FreshNamesTest {

    @Test
    void namesAreEqualAndNotTheSame() {
        FreshNames names = new FreshNames();

        assertThat(names.of(40_000_012)).isEqualTo("client-040000012").isNotSameAs(names.of(40_000_012));
    }
}
