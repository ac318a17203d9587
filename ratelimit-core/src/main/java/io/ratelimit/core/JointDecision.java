package io.ratelimit.core;

import io.ratelimit.Decision;
import java.util.List;

/**
 * The decision of a request of several parts: all are charged, or none.
 *
 * @param whole the decision that stands for the request, and the one to settle: by confirm or refund, for a cost that is
 *     only known later cannot be divided among parts
 * @param parts what each part's own limits say, in the order of the parts: one may be allowed although another, and with
 *     it the request, is not. Nothing of them is to be settled
 */
public record JointDecision(Decision whole, List<Decision> parts) {

    /** Copies the decisions. */
    public JointDecision {
        parts = List.copyOf(parts);
    }
}
