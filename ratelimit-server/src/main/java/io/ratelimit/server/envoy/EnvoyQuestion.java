package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.ratelimit.core.explain.RequestWords;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A request of Envoy in words, to be explained.
 *
 * @param domain its domain
 * @param descriptors the entries of each of its descriptors
 */
public record EnvoyQuestion(String domain, List<List<DescriptorEntry>> descriptors) {

    private static final int MOST_DESCRIPTORS = 10;
    private static final int LONGEST_NAME = 200;
    private static final String EXAMPLE = "domain=shop and descriptor=user=alice";

    /** Copies the descriptors. */
    public EnvoyQuestion {
        descriptors = List.copyOf(descriptors);
    }

    /**
     * Reads a question.
     *
     * @param domain the domain
     * @param descriptors 1 to 10 descriptors, each {@code KEY=VALUE KEY=VALUE …}; a word with spaces stands in double quotes
     * @return the question
     * @throws IllegalArgumentException if there is none; the message says what would be right
     */
    public static EnvoyQuestion parse(@Nullable String domain, List<String> descriptors) {
        if (domain == null || domain.isEmpty()) {
            throw new IllegalArgumentException("there is no domain: ask by " + EXAMPLE);
        }
        if (descriptors.isEmpty() || descriptors.size() > MOST_DESCRIPTORS) {
            throw new IllegalArgumentException("there are " + descriptors.size() + " descriptors: name 1 to "
                    + MOST_DESCRIPTORS + ", each as descriptor=KEY=VALUE, such as " + EXAMPLE);
        }
        return new EnvoyQuestion(
                domain, descriptors.stream().map(EnvoyQuestion::entries).toList());
    }

    private static List<DescriptorEntry> entries(String words) {
        List<DescriptorEntry> entries = new RequestWords(words)
                .split().stream().map(EnvoyQuestion::entry).toList();
        if (entries.isEmpty()) {
            throw new IllegalArgumentException("a descriptor is empty: write its entries as KEY=VALUE");
        }
        return entries;
    }

    private static DescriptorEntry entry(String word) {
        int equals = word.indexOf('=');
        if (equals < 1) {
            throw new IllegalArgumentException(
                    Printable.quoted(word) + " is no entry of a descriptor: write KEY=VALUE, such as user=alice");
        }
        return new DescriptorEntry(word.substring(0, equals), word.substring(equals + 1));
    }

    RateLimitRequest toRequest() {
        RateLimitRequest.Builder request = RateLimitRequest.newBuilder().setDomain(domain);
        for (List<DescriptorEntry> entries : descriptors) {
            RateLimitDescriptor.Builder descriptor = request.addDescriptorsBuilder();
            entries.forEach(
                    entry -> descriptor.addEntriesBuilder().setKey(entry.key()).setValue(entry.value()));
        }
        return request.build();
    }

    /** Domain and entries, escaped and shortened, for whoever has asked. */
    @Override
    public String toString() {
        String asked = descriptors.stream()
                .map(entries -> entries.stream()
                        .map(entry -> entry.key() + "=" + entry.value())
                        .collect(Collectors.joining(", ")))
                .collect(Collectors.joining(" | "));
        return Printable.escaped(Printable.shortened("domain " + domain + ": " + asked, LONGEST_NAME));
    }
}
