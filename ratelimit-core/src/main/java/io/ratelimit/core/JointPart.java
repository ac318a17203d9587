package io.ratelimit.core;

import io.ratelimit.core.match.RuleCharge;
import java.util.List;

/**
 * A part of a request that somebody else has split, such as one of the descriptors that a proxy sends.
 *
 * @param charges what the part is charged; empty where nothing limits it
 * @param spends whether it is charged; otherwise the tokens must be there, and stay there
 */
public record JointPart(List<RuleCharge> charges, boolean spends) {

    /** Copies the charges. */
    public JointPart {
        charges = List.copyOf(charges);
    }
}
