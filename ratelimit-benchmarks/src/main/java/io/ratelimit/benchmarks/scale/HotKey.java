package io.ratelimit.benchmarks.scale;

import io.ratelimit.Permits;
import io.ratelimit.TimeSource;
import io.ratelimit.benchmarks.ClientStore;
import io.ratelimit.benchmarks.Gcra;
import io.ratelimit.core.permits.LocalPermits;
import io.ratelimit.rules.Limit;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** What all threads take a token of. */
enum HotKey {
    /** The least that a limiter can do. */
    GCRA("gcra") {
        @Override
        BooleanSupplier of(Limit limit) {
            Gcra gcra = Gcra.of(limit);
            AtomicLong state = gcra.full();
            return () -> gcra.tryAcquire(state);
        }
    },
    OUR_PERMITS("ourPermits") {
        @Override
        BooleanSupplier of(Limit limit) {
            Permits permits = LocalPermits.of(limit);
            return permits::tryAcquire;
        }
    },
    OUR_STORE("ourStore") {
        @Override
        BooleanSupplier of(Limit limit) {
            ClientStore store = new ClientStore(List.of(limit), 1_000, TimeSource.system());
            return () -> store.tryAcquire("client-000000001");
        }
    };

    private final String title;

    HotKey(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    abstract BooleanSupplier of(Limit limit);
}
