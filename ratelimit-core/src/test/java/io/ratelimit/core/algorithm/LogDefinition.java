package io.ratelimit.core.algorithm;

import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.List;

/** The sum of the charges later than one period ago. */
final class LogDefinition implements Definition {

    private record Entry(int charge, long nanos, long tokens) {}

    private final long capacity;
    private final long period;
    private final List<Entry> entries = new ArrayList<>();

    private int charges;

    LogDefinition(Limit limit) {
        this.capacity = limit.capacity();
        this.period = limit.period().toNanos();
    }

    @Override
    public long remaining(long nanos) {
        return capacity
                - entries.stream()
                        .filter(entry -> nanos - entry.nanos < period)
                        .mapToLong(Entry::tokens)
                        .sum();
    }

    @Override
    public int spend(long nanos, long cost) {
        long latest = entries.stream().mapToLong(Entry::nanos).max().orElse(nanos);
        // What has left stays away, whatever an older clock says later.
        entries.removeIf(entry -> nanos - entry.nanos >= period);
        entries.add(new Entry(charges, Math.max(nanos, latest), cost));
        return charges++;
    }

    @Override
    public void refund(long nanos, int charge, long refunded) {
        entries.replaceAll(entry -> entry.charge == charge && nanos - entry.nanos < period
                ? new Entry(charge, entry.nanos, entry.tokens - refunded)
                : entry);
        entries.removeIf(entry -> entry.tokens == 0);
    }
}
