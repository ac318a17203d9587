package io.ratelimit.core.client;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import io.ratelimit.core.extension.Extensions;
import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes the builders of client identifiers for the keys of one rule set. Thread-safe.
 *
 * <p>What the identities read:
 *
 * <ul>
 *   <li>{@code user}: the authenticated user's name, exactly as the container gives it;
 *   <li>{@code ip}: the address that {@link ClientAddressResolver} finds, IPv6 grouped by prefix;
 *   <li>{@code bearer}: the one credential of {@code Authorization: Bearer}, the scheme in any letter case (RFC 9110
 *       section 11.1);
 *   <li>{@code header}: the value without white space around it, of several lines the first that is not blank;
 *   <li>{@code cookie}: the value as it is;
 *   <li>{@code attribute}: the attribute's {@link Object#toString()}, which must be the same for the same client.
 * </ul>
 *
 * <p>Values are compared exactly: letter case and Unicode composition tell clients apart. Missing, empty and blank are
 * the same, and so is a value that a verifier vouches for and does not find real: the identity is not there, and a key that
 * needs it builds null. The kind is part of an identifier, so that
 * the user {@code x} and the header value {@code x} never share a bucket; a header's name is in lower case there.
 */
public final class ClientIdentifiers {

    private final List<Identity> clients;
    private final ClientAddressResolver resolver;
    private final int ipv6Prefix;
    private final IdentityVerifiers verifiers;
    private final ClientIdentifierBuilder client;
    private final Map<Key, ClientIdentifierBuilder> builders = new ConcurrentHashMap<>();

    /**
     * Reads what a rule set says of clients, without verifiers.
     *
     * @param clients how clients are told apart, in order; where empty, {@link Key.Client} never finds anybody
     * @param addresses how a client's address is found and grouped
     */
    public ClientIdentifiers(List<Identity> clients, ClientAddressPolicy addresses) {
        this(clients, addresses, Extensions.none());
    }

    /**
     * Reads what a rule set says of clients.
     *
     * @param clients how clients are told apart, in order; where empty, {@link Key.Client} never finds anybody
     * @param addresses how a client's address is found and grouped
     * @param extensions the verifiers of identities among them
     */
    public ClientIdentifiers(List<Identity> clients, ClientAddressPolicy addresses, Extensions extensions) {
        this.clients = List.copyOf(clients);
        resolver = new ClientAddressResolver(addresses);
        ipv6Prefix = addresses.ipv6Prefix();
        verifiers = new IdentityVerifiers(extensions.identityVerifiers(), extensions.faults());
        client = firstPresent(clients);
    }

    /**
     * The builder for a key. It builds null where the request lacks what the key needs, and passes on what the request
     * context, or an attribute's {@code toString}, throws.
     *
     * @param key what shares a bucket
     * @return the builder, thread-safe; the same for equal keys, so that a request needs to be asked only once for
     *     each
     */
    public ClientIdentifierBuilder builder(Key key) {
        return builders.computeIfAbsent(key, this::newBuilder);
    }

    /**
     * The ways by which a key tells clients apart, of which the first counts that a request carries.
     *
     * @param key what shares a bucket
     * @return the ways, in order; empty for a key that needs several identities at once, or has none
     */
    public List<SingleIdentifier> ways(Key key) {
        ClientIdentifierBuilder builder = builder(key);
        if (builder instanceof SingleIdentifier single) {
            return List.of(single);
        }
        return builder instanceof FirstPresentIdentifier first ? first.alternatives() : List.of();
    }

    /**
     * The client's address as {@code ip} reads it.
     *
     * @param context the request
     * @return the address, an IPv6 one as its network; null where there is none
     */
    public @Nullable String address(RequestContext context) {
        return new AddressValue(resolver, ipv6Prefix).read(context);
    }

    /**
     * The {@linkplain ClientIdentifier#kind() kinds} of identifiers that a key builds.
     *
     * @param key what shares a bucket
     * @return the kinds, in the order in which they are looked for
     */
    public List<String> kinds(Key key) {
        if (key instanceof Key.Composite composite) {
            return List.of(
                    composite.parts().stream().map(ClientIdentifiers::kind).collect(Collectors.joining("+")));
        }
        if (key instanceof Key.Service) {
            return List.of(ClientIdentifier.SERVICE.kind());
        }
        List<Identity> alternatives = key instanceof Key.FirstPresent first ? first.alternatives() : clients;
        return alternatives.stream().map(ClientIdentifiers::kind).toList();
    }

    private ClientIdentifierBuilder newBuilder(Key key) {
        if (key instanceof Key.Composite composite) {
            return composite(composite.parts());
        }
        if (key instanceof Key.FirstPresent firstPresent) {
            return firstPresent(firstPresent.alternatives());
        }
        return key instanceof Key.Service ? SingleIdentifier.SERVICE : client;
    }

    private ClientIdentifierBuilder composite(List<Identity> parts) {
        return parts.size() == 1 ? single(parts.get(0)) : new CompositeIdentifier(singles(parts));
    }

    private ClientIdentifierBuilder firstPresent(List<Identity> alternatives) {
        return alternatives.size() == 1
                ? single(alternatives.get(0))
                : new FirstPresentIdentifier(singles(alternatives));
    }

    private List<SingleIdentifier> singles(List<Identity> identities) {
        return identities.stream().map(this::single).toList();
    }

    private SingleIdentifier single(Identity identity) {
        String name = identity.name() == null ? "" : identity.name();
        return switch (identity.kind()) {
            case USER -> found(identity, RequestContext::user);
            case IP -> found(identity, new AddressValue(resolver, ipv6Prefix));
            case BEARER -> claimed(identity, new BearerCredential());
            case HEADER -> claimed(identity, new HeaderValue(name));
            case COOKIE -> claimed(identity, context -> context.cookie(name));
            case ATTRIBUTE -> found(identity, context -> text(context.attribute(name)));
        };
    }

    private static String kind(Identity identity) {
        String text = identity.toString();
        return identity.kind() == Identity.Kind.HEADER ? text.toLowerCase(Locale.ROOT) : text;
    }

    private static SingleIdentifier found(Identity identity, ClientValue value) {
        return new SingleIdentifier(kind(identity), value);
    }

    private SingleIdentifier claimed(Identity identity, ClientValue value) {
        return found(identity, verifiers.verified(identity, value));
    }

    private static @Nullable String text(@Nullable Object attribute) {
        return attribute == null ? null : attribute.toString();
    }
}
