package io.ratelimit.client.http;

import java.util.concurrent.Semaphore;

/** What all requests of a client share: how many may be repeated, and how many may wait for that. Thread-safe. */
final class RetryLimits {

    private final RetryBudget budget;
    private final Semaphore places;

    RetryLimits(RetryBudget budget, int places) {
        this.budget = budget;
        this.places = new Semaphore(places);
    }

    /** Counts a request that is no repetition. */
    void request() {
        budget.request();
    }

    /** Takes a place to wait at, and a retry. */
    boolean enter() {
        if (!places.tryAcquire()) {
            return false;
        }
        if (!budget.takeRetry()) {
            places.release();
            return false;
        }
        return true;
    }

    /** Takes a place to wait at, for a request that is no repetition. */
    boolean takePlace() {
        return places.tryAcquire();
    }

    void leave() {
        places.release();
    }
}
