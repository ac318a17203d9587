package io.ratelimit.store;

/**
 * Proof of a charge, good for refunds at the store that gave it. Stores have receipts of their own; nobody else looks
 * inside. Immutable.
 */
public interface Receipt {}
