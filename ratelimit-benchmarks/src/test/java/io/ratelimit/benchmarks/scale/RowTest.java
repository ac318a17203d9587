package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RowTest {

    @Test
    void arrivesAsItWasSent() {
        Row row = Row.of(Section.HEAP, "ourStore, all here")
                .with(Figure.CLIENTS, 10_000_000L)
                .with(Figure.BYTES, 22.6);

        assertThat(Row.ofLine(row.toLine())).containsExactly(row);
    }

    @Test
    void whatElseAProcessSaysIsNoRow() {
        assertThat(Row.ofLine("# VM option ignored")).isEmpty();
    }
}
