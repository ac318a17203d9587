package io.ratelimit.core.algorithm;

/**
 * The exact product of two numbers of 63 bits, and its quotient by a third.
 *
 * @param high the upper 64 bits
 * @param low the lower 64 bits
 */
record WideProduct(long high, long low) {

    /**
     * Multiplies.
     *
     * @param a at least 0
     * @param b at least 0
     * @return the product
     */
    static WideProduct of(long a, long b) {
        return new WideProduct(Math.multiplyHigh(a, b), a * b);
    }

    /**
     * Divides, rounding down.
     *
     * @param divisor positive; greater than the upper bits, so that the quotient fits
     * @return the quotient
     */
    long dividedBy(long divisor) {
        if (high == 0) {
            return Long.divideUnsigned(low, divisor);
        }
        // By hand, a bit at a time: the rest is smaller than the divisor, so that its double fits 64 bits.
        long rest = high;
        long quotient = 0;
        for (int bit = Long.SIZE - 1; bit >= 0; bit--) {
            rest = (rest << 1) | ((low >>> bit) & 1);
            quotient <<= 1;
            if (Long.compareUnsigned(rest, divisor) >= 0) {
                rest -= divisor;
                quotient |= 1;
            }
        }
        return quotient;
    }

    /**
     * Divides, rounding up.
     *
     * @param divisor as for {@link #dividedBy}
     * @return the quotient
     */
    long dividedByRoundingUp(long divisor) {
        long quotient = dividedBy(divisor);
        // The lower words of two equal products are equal, and the rest is smaller than the divisor.
        return quotient * divisor == low ? quotient : quotient + 1;
    }
}
