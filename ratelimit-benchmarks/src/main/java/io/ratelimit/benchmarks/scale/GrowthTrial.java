package io.ratelimit.benchmarks.scale;

import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.TestedLimits;
import java.util.List;

/** A table grows from nobody to many clients as fast as one thread can introduce them: the longest call of all. */
final class GrowthTrial implements Trial {

    /** A smaller table before, so that what is measured is compiled. */
    private static final int WARM_UP_PART = 20;

    private final Population.Kind kind;
    private final int clients;
    private final FreshNames names = new FreshNames();
    private final Latencies latencies = new Latencies();

    GrowthTrial(Population.Kind kind, int clients) {
        this.kind = kind;
        this.clients = clients;
    }

    @Override
    public List<Row> measure() {
        grow(clients / WARM_UP_PART);
        latencies.clear();
        Pauses pauses = Pauses.fromNowOn();
        long start = System.nanoTime();
        Population grown = grow(clients);
        long took = System.nanoTime() - start;
        String name = String.format("%s, from 0 to %,d", grown.name(), clients);
        return List.of(
                latencies.row(name, took),
                pauses.addTo(Row.of(Section.BESIDE_CALLS, name)
                        .with(Figure.KEPT, grown.size().getAsLong())));
    }

    private Population grow(int many) {
        Population growing = kind.of(TestedLimits.KEEPS_CLIENTS, 2 * clients, TimeSource.system());
        for (int client = 0; client < many; client++) {
            String name = names.of(client);
            long start = System.nanoTime();
            growing.spend(name);
            latencies.add(System.nanoTime() - start);
        }
        return growing;
    }
}
