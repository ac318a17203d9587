package io.ratelimit.benchmarks.shared;

import com.hazelcast.map.EntryProcessor;
import java.io.Serial;
import java.util.Map;
import java.util.UUID;

/** Counts a long up. */
record CountUp() implements EntryProcessor<UUID, Long, Long> {

    @Serial
    private static final long serialVersionUID = 1L;

    @Override
    public Long process(Map.Entry<UUID, Long> entry) {
        Long before = entry.getValue();
        long after = before == null ? 1 : before + 1;
        entry.setValue(after);
        return after;
    }
}
