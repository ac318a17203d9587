package io.ratelimit.core.match;

import io.ratelimit.rules.Rule;
import java.util.List;

/**
 * What the rules make of a request.
 *
 * @param charges what is charged, in the order of the rules; empty where no rule limits the request
 * @param unidentified rules that would apply, but the request does not carry what their key is built from
 */
public record RequestCharges(List<RuleCharge> charges, List<Rule> unidentified) {

    static final RequestCharges NONE = new RequestCharges(List.of(), List.of());

    /** Copies the lists. */
    public RequestCharges {
        charges = List.copyOf(charges);
        unidentified = List.copyOf(unidentified);
    }
}
