package io.ratelimit.server.envoy;

import io.ratelimit.core.JointPart;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.server.envoy.descriptor.DescriptorLimit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor of a request with what limits it.
 *
 * @param entries what the request says
 * @param limit the limit of a descriptor file or of the request itself, or null
 * @param charges what is charged for it, or only looked at
 * @param spends false where it only asks whether there is a token left
 */
record LimitedDescriptor(
        List<DescriptorEntry> entries, @Nullable DescriptorLimit limit, List<RuleCharge> charges, boolean spends) {

    JointPart part() {
        return new JointPart(charges, spends);
    }

    boolean isUnlimited() {
        return limit != null && limit.quota() == null;
    }
}
