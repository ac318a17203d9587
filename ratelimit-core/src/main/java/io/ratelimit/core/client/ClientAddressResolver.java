package io.ratelimit.core.client;

import io.ratelimit.RequestContext;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import java.net.InetAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address of a request's client behind trusted proxies (RFC 7239 section 8.1: only what trusted hops wrote
 * counts). Immutable and thread-safe.
 *
 * <p>The address is the peer's, unless the peer is a trusted proxy. Then the forwarding header's elements are walked
 * from the right, over all its lines, past trusted hops to the first other address. The walk ends before that, at the
 * last address that a trusted hop vouched for, where the elements are used up, where one cannot be read (empty, a name,
 * {@code unknown}, a hidden name, longer than 1,024 characters) and after {@link #MOST_HOPS} trusted hops. So the cost
 * is bounded whatever the header's size, and a text that the caller chose is never the answer.
 *
 * <p>Only literals are read, never names. Ports, brackets and zones are cut off; an IPv4-mapped IPv6 address is IPv4.
 */
public final class ClientAddressResolver {

    /** How many trusted hops are walked past, at most. */
    public static final int MOST_HOPS = 50;

    private final TrustedProxies trustedProxies;
    private final ForwardingHeader header;

    /**
     * Makes a resolver.
     *
     * @param policy whose word is believed, and which header carries it
     */
    public ClientAddressResolver(ClientAddressPolicy policy) {
        trustedProxies = new TrustedProxies(policy.trustedProxies());
        header = policy.header();
    }

    /**
     * Finds the client's address.
     *
     * @param context the request
     * @return the address, not grouped by prefix; null where the peer has none, as on a Unix domain socket
     */
    public @Nullable InetAddress resolve(RequestContext context) {
        String peer = context.peerAddress();
        InetAddress address = peer == null ? null : AddressLiteral.parse(peer);
        if (address == null || !trustedProxies.contain(address)) {
            return address;
        }
        return walk(address, context.headers(header.headerName()));
    }

    /** {@return whether the peer is always the client, so that no header is read} */
    boolean believesNobody() {
        return trustedProxies.isEmpty();
    }

    private InetAddress walk(InetAddress peer, List<String> lines) {
        ElementsFromRight elements = new ElementsFromRight(lines);
        InetAddress vouchedFor = peer;
        for (int hop = 0; hop < MOST_HOPS; hop++) {
            String element = elements.next();
            InetAddress address = element == null ? null : parse(element);
            if (address == null) {
                return vouchedFor;
            }
            vouchedFor = address;
            if (!trustedProxies.contain(address)) {
                return address;
            }
        }
        return vouchedFor;
    }

    private @Nullable InetAddress parse(String element) {
        return switch (header) {
            case X_FORWARDED_FOR -> AddressLiteral.parse(element);
            case FORWARDED -> ForwardedElement.client(element);
        };
    }
}
