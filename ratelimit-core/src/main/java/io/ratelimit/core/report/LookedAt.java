package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.ClientIdentifierBuilder;
import io.ratelimit.RequestContext;
import io.ratelimit.core.client.ClientAddressResolver;
import io.ratelimit.core.client.SingleIdentifier;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.rules.Identity;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Rule;
import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What one set of rules looks at in requests: what keys are built from, and what conditions name. Texts are cut, and what
 * may be a secret is hashed. Immutable; thread-safe.
 */
final class LookedAt {

    /** A service takes no more headers, cookies or attributes of a request. */
    private static final int MOST_VALUES = 50;

    private final CompiledRules rules;
    private final ClientHash hash;
    private final ClientIdentifierBuilder client;
    private final ClientAddressResolver addresses;
    private final boolean user;
    private final boolean ip;
    private final Map<String, SingleIdentifier> headers = new LinkedHashMap<>();
    private final Map<String, SingleIdentifier> cookies = new LinkedHashMap<>();
    private final Map<String, SingleIdentifier> keyAttributes = new LinkedHashMap<>();
    private final Set<String> attributes;

    LookedAt(CompiledRules rules, ClientHash hash) {
        this.rules = rules;
        this.hash = hash;
        this.client = rules.identifiers().builder(new Key.Client());
        this.addresses = new ClientAddressResolver(rules.ruleSet().addresses());
        Set<Identity> identities = identities(rules);
        this.user = identities.contains(Identity.of(Identity.Kind.USER))
                || rules.conditions().anyMatch(condition -> !condition.users().isEmpty());
        this.ip = identities.contains(Identity.of(Identity.Kind.IP))
                || rules.conditions()
                        .anyMatch(condition -> !condition.addresses().isEmpty());
        this.attributes = rules.conditions()
                .flatMap(condition -> condition.attributes().keySet().stream())
                .limit(MOST_VALUES)
                .collect(Collectors.toUnmodifiableSet());
        identities.forEach(this::look);
    }

    private static Set<Identity> identities(CompiledRules rules) {
        return Stream.concat(
                        rules.ruleSet().clients().stream(),
                        rules.rules().map(Rule::key).flatMap(LookedAt::identities))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Stream<Identity> identities(Key key) {
        if (key instanceof Key.Composite composite) {
            return composite.parts().stream();
        }
        return key instanceof Key.FirstPresent first ? first.alternatives().stream() : Stream.empty();
    }

    private void look(Identity identity) {
        SingleIdentifier reader = rules.identifiers()
                .ways(new Key.FirstPresent(List.of(identity)))
                .get(0);
        String name = identity.name() == null ? "" : identity.name();
        switch (identity.kind()) {
            case USER, IP -> {}
            case BEARER -> add(headers, "authorization", reader);
            case HEADER -> add(headers, name.toLowerCase(Locale.ROOT), reader);
            case COOKIE -> add(cookies, name, reader);
            case ATTRIBUTE -> {
                if (!attributes.contains(name)) {
                    add(keyAttributes, name, reader);
                }
            }
        }
    }

    private static void add(Map<String, SingleIdentifier> readers, String name, SingleIdentifier reader) {
        if (readers.size() < MOST_VALUES) {
            readers.putIfAbsent(name, reader);
        }
    }

    /** Whether this is what a set of rules looks at. */
    boolean isOf(CompiledRules others) {
        return rules == others;
    }

    /** The request as these rules look at it; for one use on the thread that it belongs to. */
    RequestContext prepare(RequestContext context) {
        return rules.prepare(context);
    }

    /** The client by the rules' {@code clients}; null where the request carries none of them. */
    @Nullable
    ClientIdentifier clientOf(RequestContext request) {
        return client.build(request);
    }

    SeenRequest copy(RequestContext request, long atMillis) {
        String operation = request.operation();
        return new SeenRequest(
                atMillis,
                ReportedText.cut(request.method()),
                ReportedText.cut(request.path()),
                operation == null ? null : ReportedText.cut(operation),
                user && request.user() != null ? ReportedText.cut(request.user()) : null,
                ip ? address(request) : null,
                rules.statedCostOf(request),
                hashes(headers, request),
                hashes(cookies, request),
                attributes(request));
    }

    private @Nullable String address(RequestContext request) {
        InetAddress address = addresses.resolve(request);
        return address == null ? null : address.getHostAddress();
    }

    private Map<String, String> attributes(RequestContext request) {
        Map<String, String> values = new LinkedHashMap<>();
        for (String name : attributes) {
            Object value = request.attribute(name);
            if (value != null) {
                values.put(name, ReportedText.cut(value.toString()));
            }
        }
        values.putAll(hashes(keyAttributes, request));
        return values;
    }

    private Map<String, String> hashes(Map<String, SingleIdentifier> readers, RequestContext request) {
        if (readers.isEmpty()) {
            return Map.of();
        }
        String service = rules.ruleSet().service();
        Map<String, String> values = new LinkedHashMap<>();
        readers.forEach((name, reader) -> {
            String value = reader.read(request);
            if (value != null) {
                values.put(name, hash.of(service, reader.kind(), value));
            }
        });
        return values;
    }
}
