package io.ratelimit.core.entry;

import io.ratelimit.store.Receipt;
import java.util.UUID;

/**
 * Where a charge was made and what it left.
 *
 * @param key the client
 * @param charge the charge
 * @param askedNanos this host's clock when the charge was sent
 */
record EntryReceipt(UUID key, MadeCharge charge, long askedNanos) implements Receipt {}
