package io.ratelimit.core.bucket;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitState;
import io.ratelimit.store.Receipt;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A client's cost, and what became of it. Most of it is seldom asked for, and worked out then. Thread-safe. */
public interface DirectSpending {

    /**
     * Whether the cost was spent.
     *
     * @return false if a limit refused it
     */
    boolean allowed();

    /**
     * Whose buckets were asked.
     *
     * @return the client, made anew
     */
    ClientIdentifier client();

    /**
     * The tokens that were asked for.
     *
     * @return at least 0
     */
    long cost();

    /**
     * What the limits say.
     *
     * @return the state of each limit, in the order of the rule
     */
    List<LimitState> limits();

    /**
     * What one limit says.
     *
     * @param limit its place in the rule
     * @return its state
     */
    LimitState limit(int limit);

    /**
     * What a refund needs.
     *
     * @return the receipt, or null where nothing was spent
     */
    @Nullable
    Receipt receipt();
}
