package io.ratelimit.server.envoy.descriptor;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The trees of all domains, as they were read together. Immutable. */
public final class DescriptorSet {

    private final Map<String, DescriptorTree> domains;
    private final long version;

    DescriptorSet(Map<String, DescriptorTree> domains, long version) {
        this.domains = Map.copyOf(domains);
        this.version = version;
    }

    /**
     * The descriptors of no domain.
     *
     * @return an empty set
     */
    public static DescriptorSet empty() {
        return new DescriptorSet(Map.of(), 0);
    }

    /**
     * The tree of a domain.
     *
     * @param domain the domain
     * @return the tree; empty where no file is of this domain
     */
    public Optional<DescriptorTree> domain(String domain) {
        return Optional.ofNullable(domains.get(domain));
    }

    /**
     * The trees of all domains.
     *
     * @return them by domain, in alphabetical order
     */
    public SortedMap<String, DescriptorTree> domains() {
        return new TreeMap<>(domains);
    }

    /**
     * How many domains there are.
     *
     * @return the number of files
     */
    public int size() {
        return domains.size();
    }

    /**
     * How many domains there are, for people.
     *
     * @return a text such as {@code 1 domain}
     */
    public String sizeInWords() {
        return size() + (size() == 1 ? " domain" : " domains");
    }

    /**
     * Orders the sets of one place.
     *
     * @return the version, greater than that of the set before
     */
    public long version() {
        return version;
    }
}
