package io.ratelimit.benchmarks.scale;

import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.TestedLimits;
import java.lang.ref.Reference;
import java.util.List;

/** So many clients lie in a table: its memory, and what a full collection takes. */
final class HeapTrial implements Trial {

    private static final int FOR_LOADING = 5_000;

    private final Population.Kind kind;
    private final int clients;
    private final Heap heap = new Heap();
    private final FreshNames names = new FreshNames();

    HeapTrial(Population.Kind kind, int clients) {
        this.kind = kind;
        this.clients = clients;
    }

    @Override
    public List<Row> measure() {
        // What is loaded and made once is not counted.
        fill(empty(), FOR_LOADING);
        long before = heap.used();
        Population filled = empty();
        try {
            fill(filled, clients);
            double taken = (double) heap.used() - before;
            return List.of(heap.withFullCollections(Row.of(Section.HEAP, filled.name())
                    .with(Figure.CLIENTS, clients)
                    .with(Figure.HEAP, Heap.megabytes(taken))
                    .with(Figure.BYTES, taken / clients)));
        } finally {
            Reference.reachabilityFence(filled);
        }
    }

    private Population empty() {
        return kind.of(TestedLimits.KEEPS_CLIENTS, 2 * Math.max(clients, FOR_LOADING), TimeSource.system());
    }

    private void fill(Population table, int many) {
        for (int client = 0; client < many; client++) {
            table.spend(names.of(client));
        }
    }
}
