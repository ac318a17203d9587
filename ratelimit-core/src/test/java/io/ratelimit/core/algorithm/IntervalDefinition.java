package io.ratelimit.core.algorithm;

import io.ratelimit.rules.Limit;
import java.util.ArrayList;
import java.util.List;

/** Tokens come back at each boundary of periods that begin with the first charge after the bucket was full. */
final class IntervalDefinition implements Definition {

    /** Negative tokens are a refund. */
    private record Entry(long nanos, long tokens) {}

    private final long tokens;
    private final long capacity;
    private final long period;
    private final List<Entry> entries = new ArrayList<>();

    private int row;

    IntervalDefinition(Limit limit) {
        this.tokens = limit.tokens();
        this.capacity = limit.capacity();
        this.period = limit.period().toNanos();
    }

    @Override
    public long remaining(long nanos) {
        return capacity - used(row, entries.size(), atLeastLast(nanos));
    }

    @Override
    public int spend(long nanos, long cost) {
        long begin = Math.max(nanos, currentBegin(nanos));
        // A row that would begin at a boundary of the one before is the same row.
        boolean goesOn = row < entries.size() && (begin - entries.get(row).nanos) % period == 0;
        if (remaining(nanos) == capacity && !goesOn) {
            row = entries.size();
        }
        entries.add(new Entry(atLeastLast(nanos), cost));
        return entries.size() - 1;
    }

    @Override
    public void refund(long nanos, int charge, long refunded) {
        // Of all that was used when the charge was made, its own tokens are the last to come back.
        long held = charge < row ? 0 : used(row, charge + 1, atLeastLast(nanos));
        entries.add(new Entry(atLeastLast(nanos), -Math.min(refunded, held)));
    }

    /** When the period began that the last entry fell into. */
    private long currentBegin(long nanos) {
        if (row == entries.size()) {
            return nanos;
        }
        long first = entries.get(row).nanos;
        long last = entries.get(entries.size() - 1).nanos;
        return last - (last - first) % period;
    }

    private long atLeastLast(long nanos) {
        return row == entries.size() ? nanos : Math.max(nanos, entries.get(entries.size() - 1).nanos);
    }

    private long used(int from, int to, long nanos) {
        long used = 0;
        if (from >= to) {
            return 0;
        }
        long boundary = entries.get(from).nanos + period;
        for (Entry entry : entries.subList(from, to)) {
            for (; boundary <= entry.nanos; boundary += period) {
                used = Math.max(0, used - tokens);
            }
            used = Math.max(0, used + entry.tokens);
        }
        for (; boundary <= nanos && used > 0; boundary += period) {
            used = Math.max(0, used - tokens);
        }
        return used;
    }
}
