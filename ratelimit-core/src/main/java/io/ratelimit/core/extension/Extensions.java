package io.ratelimit.core.extension;

import io.ratelimit.AttributeResolver;
import io.ratelimit.CostResolver;
import io.ratelimit.IdentityVerifier;
import io.ratelimit.rules.Identity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an application adds to the rules engine. Immutable, but for the faults that were reported; thread-safe. */
public final class Extensions {

    private static final Logger LOG = LoggerFactory.getLogger(Extensions.class);
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");

    private final List<AttributeResolver> attributes;
    private final Map<String, CostResolver> costs;
    private final List<IdentityVerifier> identities;

    private final ExtensionFaults faults;

    private Extensions(
            List<AttributeResolver> attributes,
            Map<String, CostResolver> costs,
            List<IdentityVerifier> identities,
            ExtensionFaults faults) {
        this.attributes = attributes;
        this.costs = costs;
        this.identities = identities;
        this.faults = faults;
    }

    /**
     * Nothing.
     *
     * @return no extensions
     */
    public static Extensions none() {
        return new Extensions(List.of(), Map.of(), List.of(), new ExtensionFaults());
    }

    /**
     * Adds a resolver of attributes, to be asked after those before it.
     *
     * @param resolver the resolver
     * @return these extensions and that one
     */
    public Extensions with(AttributeResolver resolver) {
        return new Extensions(appended(attributes, resolver), costs, identities, faults);
    }

    /**
     * Adds a resolver of costs.
     *
     * @param resolver the resolver
     * @return these extensions and that one
     * @throws IllegalArgumentException if another one has its name, or the name is none that rules files can say
     */
    public Extensions with(CostResolver resolver) {
        String name = resolver.name();
        if (name == null || !NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("the cost resolver " + className(resolver) + " is named '" + name
                    + "'; a name is made of letters, digits, '.', '_' and '-'");
        }
        Map<String, CostResolver> more = new LinkedHashMap<>(costs);
        CostResolver other = more.putIfAbsent(name, resolver);
        if (other != null) {
            throw new IllegalArgumentException("the cost resolvers " + className(other) + " and " + className(resolver)
                    + " are both named '" + name + "'; give one of them another name");
        }
        return new Extensions(attributes, more, identities, faults);
    }

    /**
     * Adds a verifier of identities.
     *
     * @param verifier the verifier
     * @return these extensions and that one
     */
    public Extensions with(IdentityVerifier verifier) {
        return new Extensions(attributes, costs, appended(identities, verifier), faults);
    }

    /**
     * Adds what is found on the class path, behind what is there. One that cannot be used is reported and left out.
     *
     * @param providers what is on the class path
     * @return these extensions and those that were found
     */
    public Extensions withFound(Providers providers) {
        Extensions all = this;
        for (AttributeResolver resolver : providers.find(AttributeResolver.class, "A resolver of attributes")) {
            all = all.with(resolver);
        }
        for (CostResolver resolver : providers.find(CostResolver.class, "A resolver of costs")) {
            all = all.withUsable(resolver);
        }
        for (IdentityVerifier verifier : providers.find(IdentityVerifier.class, "A verifier of identities")) {
            all = all.with(verifier);
        }
        return all;
    }

    private Extensions withUsable(CostResolver resolver) {
        try {
            return with(resolver);
        } catch (Throwable e) {
            LOG.error("A resolver of costs on the class path cannot be used: {}", e.toString());
            return this;
        }
    }

    /**
     * The resolvers of attributes.
     *
     * @return the resolvers, in the order in which they are asked
     */
    public List<AttributeResolver> attributeResolvers() {
        return attributes;
    }

    /**
     * A resolver of costs.
     *
     * @param name its name
     * @return the resolver, or null where there is none of this name
     */
    public @Nullable CostResolver costResolver(String name) {
        return costs.get(name);
    }

    /**
     * The names of the resolvers of costs.
     *
     * @return the names, sorted
     */
    public Set<String> costResolverNames() {
        return new TreeSet<>(costs.keySet());
    }

    /**
     * The verifiers of identities.
     *
     * @return the verifiers
     */
    public List<IdentityVerifier> identityVerifiers() {
        return identities;
    }

    /**
     * Whether a verifier says which values of an identity are real.
     *
     * @param identity the identity
     * @return true if one does; one that throws is asked of all values, so that its answer counts as a yes
     */
    public boolean vouchFor(Identity identity) {
        return identities.stream().anyMatch(verifier -> {
            try {
                return verifier.vouchesFor(identity);
            } catch (Throwable e) {
                return true;
            }
        });
    }

    /**
     * Hears of extensions that fail.
     *
     * @return where faults are reported
     */
    public ExtensionFaults faults() {
        return faults;
    }

    private static <T> List<T> appended(List<T> list, T item) {
        List<T> longer = new ArrayList<>(list);
        longer.add(Objects.requireNonNull(item));
        return List.copyOf(longer);
    }

    private static String className(Object extension) {
        return extension.getClass().getName();
    }
}
