package io.ratelimit.core.match;

import io.ratelimit.core.client.ClientAddressResolver;
import io.ratelimit.core.client.ClientIdentifiers;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.RuleSet;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Says what tells a request's client apart. Users and addresses are shown; other values may be secrets, or stand for
 * some, and are not.
 */
final class KeyReason {

    private final RuleSet rules;
    private final ClientIdentifiers identifiers;
    private final MatchedRequest request;

    KeyReason(RuleSet rules, ClientIdentifiers identifiers, MatchedRequest request) {
        this.rules = rules;
        this.identifiers = identifiers;
        this.request = request;
    }

    String of(Key key) {
        if (key instanceof Key.Service) {
            return "service, one bucket for everybody";
        }
        if (key instanceof Key.Composite composite) {
            return String.join(
                    " + ", composite.parts().stream().map(this::described).toList());
        }
        return firstOf(key instanceof Key.FirstPresent first ? first.alternatives() : rules.clients());
    }

    private String firstOf(List<Identity> alternatives) {
        List<String> missing = new ArrayList<>();
        for (Identity identity : alternatives) {
            if (!isMissing(identity)) {
                return described(identity) + (missing.isEmpty() ? "" : " (" + String.join(", ", missing) + " missing)");
            }
            missing.add(text(identity.toString()));
        }
        return String.join(", ", missing) + " missing";
    }

    /** One that throws is not missing; it is {@linkplain #described said} what it is. */
    private boolean isMissing(Identity identity) {
        try {
            return !isPresent(identity);
        } catch (Throwable e) {
            return false;
        }
    }

    private String described(Identity identity) {
        try {
            if (!isPresent(identity)) {
                return text(identity.toString()) + " missing";
            }
            return switch (identity.kind()) {
                case USER -> "user " + Printable.quoted(String.valueOf(request.user()));
                case IP -> "ip " + identifiers.address(request) + origin();
                default -> text(identity.toString()) + " (hidden)";
            };
        } catch (Throwable e) {
            return text(identity.toString()) + " cannot be read of the request: "
                    + e.getClass().getName();
        }
    }

    private boolean isPresent(Identity identity) {
        return identifiers.builder(new Key.Composite(List.of(identity))).build(request) != null;
    }

    private String origin() {
        if (rules.addresses().trustedProxies().isEmpty()) {
            return "";
        }
        InetAddress peer = new ClientAddressResolver(ClientAddressPolicy.DEFAULT).resolve(request);
        return Objects.equals(peer, request.clientAddress())
                ? " (the peer)"
                : " (by " + rules.addresses().header().headerName() + " of a trusted proxy)";
    }

    private static String text(String identity) {
        return Printable.escaped(identity);
    }
}
