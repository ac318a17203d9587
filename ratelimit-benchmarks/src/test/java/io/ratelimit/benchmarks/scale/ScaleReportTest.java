package io.ratelimit.benchmarks.scale;

import static org.assertj.core.api.Assertions.assertThat;

import io.ratelimit.benchmarks.Fact;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScaleReportTest {

    private static final List<Fact> FACTS = List.of(new Fact("JDK", "17"));

    @Test
    void hasATableForEachSectionThatWasMeasured() {
        Row row = Row.of(Section.HEAP, "ourStore")
                .with(Figure.CLIENTS, 1_000_000L)
                .with(Figure.HEAP, 22.61)
                .with(Figure.BYTES, 22.61);

        assertThat(new ScaleReport(FACTS, List.of(row)).toMarkdown()).isEqualTo("""
                | run | |
                | --- | --- |
                | JDK | 17 |

                ### Heap, and a full collection

                | what | clients | heap MB | bytes for a client | full collection ms | shortest | longest | by the collector ms |
                | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
                | ourStore | 1,000,000 | 22.6 | 22.6 |  |  |  |  |
                """);
    }

    @Test
    void judgesMemoryByTheTextbookAndTheCounterByTheLog() {
        String report = new ScaleReport(
                        FACTS,
                        List.of(
                                memory(LimitKind.LOG, 4_000).with(Figure.TEXTBOOK, 12_000),
                                memory(LimitKind.COUNTER, 40),
                                memory(LimitKind.COUNTER_OF_MINUTES, 800)))
                .toMarkdown();

        assertThat(report).endsWith("""
                ### Memory beside the textbook's

                | what | where | budget | measured | verdict |
                | --- | --- | --- | ---: | --- |
                | sliding-window-log, 500 of 500/h | 1,000,000 clients | ≤ 12000 MB | 4000 | met |
                | sliding-window-counter, 500/h | beside the log | ≤ 14 % of the log | 1 | met |
                | sliding-window-counter, 500/h, precision: 60 | beside the log | ≤ 14 % of the log | 20 | **not met** |
                """);
    }

    private static Row memory(LimitKind kind, double bytes) {
        return Row.of(Section.LIMITS, kind.title()).with(Figure.BYTES, bytes).with(Figure.MILLION_CLIENTS, bytes);
    }
}
