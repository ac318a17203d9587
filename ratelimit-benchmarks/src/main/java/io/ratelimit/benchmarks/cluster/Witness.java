package io.ratelimit.benchmarks.cluster;

/**
 * One bucket that sees everything. Its tokens may fall below zero, which is how much too much was admitted. Used by one
 * thread.
 */
final class Witness {

    private final double burst;
    private final double tokensPerNano;
    private double tokens;
    private double fewest;
    private long nanos;

    Witness(double burst, double tokensPerSecond, long nanos) {
        this.burst = burst;
        this.tokensPerNano = tokensPerSecond / 1e9;
        this.tokens = burst;
        this.fewest = burst;
        this.nanos = nanos;
    }

    /** Lets time pass; times that lie back count as now. */
    void advanceTo(long now) {
        if (now - nanos > 0) {
            tokens = Math.min(burst, tokens + (now - nanos) * tokensPerNano);
            nanos = now;
        }
    }

    void spend() {
        tokens -= 1;
        fewest = Math.min(fewest, tokens);
    }

    double tokens() {
        return tokens;
    }

    /** How much more was admitted than B + R·w, over the worst time w; 0 if nothing was. */
    double excess() {
        return Math.max(0, -fewest);
    }
}
