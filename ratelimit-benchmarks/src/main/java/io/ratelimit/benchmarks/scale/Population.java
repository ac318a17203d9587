package io.ratelimit.benchmarks.scale;

import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.ClientStore;
import io.ratelimit.benchmarks.ClientTable;
import io.ratelimit.benchmarks.LimiterMap;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The clients of one table, and what can be done about those who are gone.
 *
 * @param name the table's name in the report
 * @param table takes their tokens
 * @param sweep forgets those who are full again
 * @param size how many are kept
 */
record Population(String name, ClientTable table, Runnable sweep, LongSupplier size) {

    /** Makes an empty table of clients with one limit. */
    interface Kind {
        Population of(Limit limit, int mostClients, TimeSource time);
    }

    /** In our store. */
    static Population ofStore(Limit limit, int mostClients, TimeSource time) {
        ClientStore store = new ClientStore(List.of(limit), mostClients, time);
        return new Population("ourStore", store, store::sweep, store::size);
    }

    /** In a map of {@code AtomicLong}, which forgets nobody. */
    static Population ofMap(Limit limit, int mostClients, TimeSource time) {
        return new Population("gcraInMap", LimiterMap.ofGcra(limit), () -> {}, () -> 0);
    }

    /** Nowhere: what a measurement shows when the table does nothing. */
    static Population ofNobody(Limit limit, int mostClients, TimeSource time) {
        return new Population("nothing", client -> true, () -> {}, () -> 0);
    }

    void spend(String client) {
        if (!table.tryAcquire(client)) {
            throw new IllegalStateException(client + " is refused by " + name);
        }
    }
}
