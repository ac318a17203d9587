package io.ratelimit.core.client;

import io.ratelimit.IdentityVerifier;
import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.ExtensionFaults;
import io.ratelimit.rules.Identity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that is missing unless a verifier says that it is real.
 *
 * @param identity what the value is
 * @param source reads the value
 * @param verifiers those that vouch for the identity, at least one
 * @param faults hears of those that throw
 */
record VerifiedValue(Identity identity, ClientValue source, List<IdentityVerifier> verifiers, ExtensionFaults faults)
        implements ClientValue {

    @Override
    public @Nullable String read(RequestContext context) {
        String value = source.read(context);
        if (value == null || value.isBlank()) {
            return null;
        }
        for (IdentityVerifier verifier : verifiers) {
            if (isReal(verifier, value, context)) {
                return value;
            }
        }
        return null;
    }

    private boolean isReal(IdentityVerifier verifier, String value, RequestContext context) {
        try {
            return verifier.verify(identity, value, context);
        } catch (Throwable e) {
            faults.thrown(IdentityVerifiers.described(verifier), "the identity counts as missing", e);
            return false;
        }
    }
}
