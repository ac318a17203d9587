package io.ratelimit.core.reconcile;

import io.ratelimit.store.Receipt;
import org.jspecify.annotations.Nullable;

/**
 * A charge of this host's buckets that the shared store hears of.
 *
 * @param local the receipt of this host's table
 * @param telling what it is told with; null where it is not told
 */
record ReconciledReceipt(Receipt local, @Nullable Telling telling) implements Receipt {}
