package io.ratelimit.core.client;

import io.ratelimit.IdentityVerifier;
import io.ratelimit.core.extension.ExtensionFaults;
import io.ratelimit.rules.Identity;
import java.util.List;
import java.util.Set;

/** Puts verifiers in front of the identities that anybody can write into a request. */
final class IdentityVerifiers {

    private static final Set<Identity.Kind> CLAIMED =
            Set.of(Identity.Kind.HEADER, Identity.Kind.COOKIE, Identity.Kind.BEARER);

    private final List<IdentityVerifier> verifiers;
    private final ExtensionFaults faults;

    IdentityVerifiers(List<IdentityVerifier> verifiers, ExtensionFaults faults) {
        this.verifiers = verifiers;
        this.faults = faults;
    }

    /** The value behind the verifiers that vouch for its identity; the value itself where none does. */
    ClientValue verified(Identity identity, ClientValue value) {
        if (!CLAIMED.contains(identity.kind())) {
            return value;
        }
        List<IdentityVerifier> vouching = verifiers.stream()
                .filter(verifier -> vouches(verifier, identity))
                .toList();
        return vouching.isEmpty() ? value : new VerifiedValue(identity, value, vouching, faults);
    }

    private boolean vouches(IdentityVerifier verifier, Identity identity) {
        try {
            return verifier.vouchesFor(identity);
        } catch (Throwable e) {
            faults.thrown(described(verifier), "it is asked of all values of " + identity, e);
            return true;
        }
    }

    static String described(IdentityVerifier verifier) {
        return "The verifier of identities " + verifier.getClass().getName();
    }
}
