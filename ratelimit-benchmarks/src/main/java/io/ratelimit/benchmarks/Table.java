package io.ratelimit.benchmarks;

import io.ratelimit.rules.Limit;

/** The tables of clients whose memory is measured. */
enum Table {
    OUR_STORE("ourStore"),
    GCRA("gcraInMap"),
    BUCKET4J("bucket4jInMap"),
    RESILIENCE4J("resilience4jInMap"),
    GUAVA("guavaInMap");

    private final String title;

    Table(String title) {
        this.title = title;
    }

    /** The name in the report, that of the benchmarks of the same table. */
    String title() {
        return title;
    }

    ClientTable empty(Limit limit) {
        return switch (this) {
            case OUR_STORE -> new ClientStore(limit);
            case GCRA -> LimiterMap.ofGcra(limit);
            case BUCKET4J -> LimiterMap.ofBucket4j(limit);
            case RESILIENCE4J -> LimiterMap.ofResilience4j(limit);
            case GUAVA -> LimiterMap.ofGuava(limit);
        };
    }
}
