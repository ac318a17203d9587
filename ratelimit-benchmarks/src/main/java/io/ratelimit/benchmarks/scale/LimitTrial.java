package io.ratelimit.benchmarks.scale;

import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.ClientStore;
import java.lang.ref.Reference;
import java.util.List;

/** The memory of clients under limits of one kind. */
final class LimitTrial implements Trial {

    private static final int MILLION = 1_000_000;
    private static final int FOR_LOADING = 2_000;

    private final LimitKind kind;
    private final int clients;
    private final Heap heap = new Heap();
    private final FreshNames names = new FreshNames();

    LimitTrial(LimitKind kind, int clients) {
        this.kind = kind;
        this.clients = clients;
    }

    @Override
    public List<Row> measure() {
        fill(empty(), FOR_LOADING);
        long before = heap.used();
        ClientStore store = empty();
        try {
            fill(store, clients);
            double bytes = (double) (heap.used() - before) / clients;
            Row row = Row.of(Section.LIMITS, kind.title())
                    .with(Figure.CLIENTS, clients)
                    .with(Figure.BYTES, bytes)
                    .with(Figure.MILLION_CLIENTS, Heap.megabytes(bytes * MILLION));
            return List.of(
                    kind.textbook().isPresent()
                            ? row.with(Figure.TEXTBOOK, kind.textbook().getAsInt())
                            : row);
        } finally {
            Reference.reachabilityFence(store);
        }
    }

    private ClientStore empty() {
        return new ClientStore(kind.limits(), 2 * Math.max(clients, FOR_LOADING), TimeSource.system());
    }

    private void fill(ClientStore store, int many) {
        for (int client = 0; client < many; client++) {
            for (int token = 0; token < kind.spent(); token++) {
                if (!store.tryAcquire(names.of(client))) {
                    throw new IllegalStateException("client " + client + " is refused under " + kind);
                }
            }
        }
    }
}
