package io.ratelimit.core.lint;

import io.ratelimit.rules.AddressRange;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.Rule;
import java.net.Inet4Address;
import java.util.List;
import java.util.stream.Stream;

/** Finds trusted proxies that strangers may be among, and such that nothing depends on. */
final class TrustedProxiesCheck implements RulesCheck {

    private static final String PLACE = "trustedProxies";
    private static final int WIDEST_IPV4 = 8;
    private static final int WIDEST_IPV6 = 16;

    @Override
    public void check(LintedRules rules, Findings findings) {
        List<AddressRange> proxies = rules.set().addresses().trustedProxies();
        for (AddressRange range : proxies) {
            if (isTooWide(range)) {
                findings.warning(
                        PLACE,
                        PLACE + ": " + range + " is wide enough to hold strangers, and whoever is in it chooses the"
                                + " address that counts as theirs, a new one with each request; name the proxies alone");
            }
        }
        if (!proxies.isEmpty() && !looksAtAddresses(rules)) {
            findings.note(
                    PLACE,
                    PLACE
                            + " are named, but nothing in the rules looks at addresses: no 'ip' stands in 'clients', a key"
                            + " or a condition");
        }
    }

    private static boolean isTooWide(AddressRange range) {
        boolean isIpv4 = range.network() instanceof Inet4Address;
        return range.prefixLength() < (isIpv4 ? WIDEST_IPV4 : WIDEST_IPV6) && !(!isIpv4 && isUniqueLocal(range));
    }

    /** Networks within fc00::/7 are private ones (RFC 4193), which no stranger has an address of. */
    private static boolean isUniqueLocal(AddressRange range) {
        return range.prefixLength() >= 7 && (range.network().getAddress()[0] & 0xFE) == 0xFC;
    }

    private static boolean looksAtAddresses(LintedRules rules) {
        return rules.set().clients().stream().anyMatch(TrustedProxiesCheck::isAddress)
                || rules.inForce().stream().map(Rule::key).anyMatch(TrustedProxiesCheck::readsAddress)
                || conditions(rules)
                        .anyMatch(condition -> !condition.addresses().isEmpty());
    }

    private static Stream<Condition> conditions(LintedRules rules) {
        Stream<Condition> ofRules = rules.inForce().stream()
                .flatMap(rule -> Stream.concat(
                        Stream.of(rule.match()), rule.overrides().stream().map(LimitOverride::when)));
        return Stream.of(
                        rules.set().exempt().stream(),
                        rules.set().costs().stream().map(OperationCost::match),
                        ofRules)
                .flatMap(conditions -> conditions);
    }

    private static boolean readsAddress(Key key) {
        return identitiesOf(key).stream().anyMatch(TrustedProxiesCheck::isAddress);
    }

    private static List<Identity> identitiesOf(Key key) {
        if (key instanceof Key.Composite composite) {
            return composite.parts();
        }
        return key instanceof Key.FirstPresent firstPresent ? firstPresent.alternatives() : List.of();
    }

    private static boolean isAddress(Identity identity) {
        return identity.kind() == Identity.Kind.IP;
    }
}
