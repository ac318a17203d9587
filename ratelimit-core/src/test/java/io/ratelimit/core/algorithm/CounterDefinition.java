package io.ratelimit.core.algorithm;

import io.ratelimit.rules.Limit;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/** The weighted sum of charges by the window that each fell into, as a fraction of a window's length. */
final class CounterDefinition implements Definition {

    private final BigInteger capacity;
    private final int precision;
    private final long window;
    private final List<Long> times = new ArrayList<>();
    private final List<Long> tokens = new ArrayList<>();

    private int row;
    private long start;
    private long currentStart;

    CounterDefinition(Limit limit) {
        this.capacity = BigInteger.valueOf(limit.tokens());
        this.precision = limit.options().precision();
        this.window = limit.period().toNanos() / precision;
    }

    @Override
    public long remaining(long nanos) {
        BigInteger length = BigInteger.valueOf(window);
        BigInteger left = capacity.multiply(length).subtract(weighted(nanos));
        return left.max(BigInteger.ZERO).divide(length).longValueExact();
    }

    @Override
    public int spend(long nanos, long cost) {
        long begin = Math.max(nanos, currentStart);
        // A row that would begin with a window of the one before is the same row.
        if (weighted(nanos).signum() == 0 && (row == times.size() || (begin - start) % window != 0)) {
            row = times.size();
            start = begin;
            currentStart = begin;
        }
        moveTo(nanos);
        times.add(Math.max(nanos, currentStart));
        tokens.add(cost);
        return times.size() - 1;
    }

    @Override
    public void refund(long nanos, int charge, long refunded) {
        moveTo(nanos);
        if (charge >= row) {
            tokens.set(charge, tokens.get(charge) - refunded);
        }
    }

    private void moveTo(long nanos) {
        currentStart = Math.max(currentStart, nanos - Math.floorMod(nanos - start, window));
    }

    private BigInteger weighted(long nanos) {
        long now = Math.max(nanos, currentStart);
        long current = (now - start) / window;
        BigInteger outside = BigInteger.valueOf((now - start) % window);
        BigInteger sum = BigInteger.ZERO;
        for (int i = row; i < times.size(); i++) {
            long age = current - (times.get(i) - start) / window;
            BigInteger length = BigInteger.valueOf(age > precision ? 0 : window);
            BigInteger counted = age == precision ? length.subtract(outside) : length;
            sum = sum.add(BigInteger.valueOf(tokens.get(i)).multiply(counted));
        }
        return sum;
    }
}
