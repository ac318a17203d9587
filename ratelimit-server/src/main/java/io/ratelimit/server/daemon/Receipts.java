package io.ratelimit.server.daemon;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import com.google.common.cache.RemovalCause;
import com.google.common.cache.RemovalNotification;
import io.ratelimit.Settlement;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Settlements that callers come back for, by names that nobody can guess. Whoever does not come back in time has let the
 * charges stand, and so has the one who has waited longest where there are too many. Thread-safe.
 */
final class Receipts {

    private static final int MOST = 100_000;
    private static final int NAME_BYTES = 16;

    private final Cache<String, Settlement> open;
    private final SecureRandom random = new SecureRandom();

    /**
     * Begins without receipts.
     *
     * @param settleWithin how long a caller may take, positive
     */
    Receipts(Duration settleWithin) {
        this.open = CacheBuilder.newBuilder()
                .concurrencyLevel(1)
                .maximumSize(MOST)
                .expireAfterWrite(settleWithin)
                .removalListener(Receipts::removed)
                .build();
    }

    private static void removed(RemovalNotification<String, Settlement> receipt) {
        if (receipt.getCause() != RemovalCause.EXPLICIT) {
            Objects.requireNonNull(receipt.getValue()).confirm();
        }
    }

    String issue(Settlement settlement) {
        byte[] name = new byte[NAME_BYTES];
        random.nextBytes(name);
        String receipt = Base64.getUrlEncoder().withoutPadding().encodeToString(name);
        open.put(receipt, settlement);
        return receipt;
    }

    /** The settlement of a receipt, which is used up; null where nobody has it any more. */
    @Nullable
    Settlement redeem(String receipt) {
        return open.asMap().remove(receipt);
    }

    /** Lets the charges of those stand that have come too late. */
    void expire() {
        open.cleanUp();
    }

    long count() {
        return open.size();
    }

    /** Lets all charges stand. */
    void close() {
        open.asMap().values().forEach(Settlement::confirm);
    }
}
