package io.ratelimit.client.http;

/**
 * Bounds how many requests are attempts of others: a service that is down must not be asked many times as much as one that
 * is up. Each request puts a tenth of a retry in, each retry takes one out. Thread-safe.
 */
final class RetryBudget {

    private static final int RETRY = 10;

    private final int most;
    private int tenths;

    /**
     * Begins full.
     *
     * @param retries how many retries may come in a row without a new request, at least 0
     */
    RetryBudget(int retries) {
        if (retries < 0 || retries > Integer.MAX_VALUE / RETRY) {
            throw new IllegalArgumentException("a budget of " + retries + " retries: it must be at least 0");
        }
        this.most = retries * RETRY;
        this.tenths = most;
    }

    synchronized void request() {
        tenths = Math.min(most, tenths + 1);
    }

    synchronized boolean takeRetry() {
        boolean isThere = tenths >= RETRY;
        if (isThere) {
            tenths -= RETRY;
        }
        return isThere;
    }
}
