package io.ratelimit.benchmarks.scale;

import io.ratelimit.benchmarks.TestedLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Threads that all want tokens of one client: what they get in all, and whether each gets its share. */
final class HotKeyTrial implements Trial {

    private final HotKey key;
    private final List<Threads> threads;

    HotKeyTrial(HotKey key, List<Threads> threads) {
        this.key = key;
        this.threads = List.copyOf(threads);
    }

    @Override
    public List<Row> measure() throws InterruptedException {
        BooleanSupplier acquire = key.of(TestedLimits.NEVER_REFUSES);
        List<Row> rows = new ArrayList<>();
        for (Threads some : threads) {
            rows.add(Tally.addTo(Row.of(Section.HOT_KEY, key.title()), some.run(thread -> () -> {
                if (!acquire.getAsBoolean()) {
                    throw new IllegalStateException(key + " refused");
                }
            })));
        }
        return rows;
    }
}
