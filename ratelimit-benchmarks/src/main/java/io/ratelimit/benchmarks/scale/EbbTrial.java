package io.ratelimit.benchmarks.scale;

import io.ratelimit.benchmarks.TestedLimits;
import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All clients leave our store, and as many others come: whether memory comes back, and is taken again only once. */
final class EbbTrial implements Trial {

    /** Longer than a token of {@link TestedLimits#KEEPS_CLIENTS} takes to come back. */
    private static final Duration UNTIL_FULL = Duration.ofHours(1);

    private final int clients;
    private final Heap heap = new Heap();
    private final FreshNames names = new FreshNames();
    private final StoreTime time = new StoreTime();

    EbbTrial(int clients) {
        this.clients = clients;
    }

    @Override
    public List<Row> measure() {
        long before = heap.used();
        Population table = Population.ofStore(TestedLimits.KEEPS_CLIENTS, 2 * clients, time);
        try {
            List<Row> rows = new ArrayList<>();
            fill(table, 0);
            rows.add(row("ourStore, all here", table, before));
            time.skip(UNTIL_FULL);
            Sweeps sweeps = new Sweeps(table);
            sweeps.sweep();
            rows.add(row("ourStore, all gone", table, before));
            fill(table, clients);
            rows.add(row("ourStore, as many others", table, before));
            rows.add(sweeps.addTo(Row.of(Section.BESIDE_CALLS, "ourStore, all gone: " + clients)));
            return rows;
        } finally {
            Reference.reachabilityFence(table);
        }
    }

    private void fill(Population table, int from) {
        for (int client = 0; client < clients; client++) {
            table.spend(names.of((long) from + client));
        }
    }

    private Row row(String name, Population table, long before) {
        return Row.of(Section.HEAP, name)
                .with(Figure.CLIENTS, table.size().getAsLong())
                .with(Figure.HEAP, Heap.megabytes((double) heap.used() - before));
    }
}
