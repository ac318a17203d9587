package io.ratelimit.server.envoy;

import io.envoyproxy.envoy.extensions.common.ratelimit.v3.RateLimitDescriptor;
import io.envoyproxy.envoy.service.ratelimit.v3.RateLimitRequest;
import io.ratelimit.RequestContext;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.rules.Limit;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.server.envoy.descriptor.DescriptorLimit;
import io.ratelimit.server.envoy.descriptor.DescriptorMatch;
import io.ratelimit.server.envoy.descriptor.DescriptorSet;
import io.ratelimit.server.envoy.descriptor.DescriptorTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds what limits the descriptors of a request: the descriptor file of its domain, the limit that a descriptor brings
 * along, and the engine's own rules where they are those of a service of the domain's name. Thread-safe.
 */
final class DescriptorLimits {

    private final RateLimitEngine engine;
    private final RequestLimits brought;

    DescriptorLimits(RateLimitEngine engine, RequestLimits brought) {
        this.engine = engine;
        this.brought = brought;
    }

    /** A descriptor before it is known which others replace it. */
    private record Found(
            List<DescriptorEntry> entries, @Nullable DescriptorMatch match, long hits, boolean brings) {

        Stream<String> replaces() {
            return match == null ? Stream.empty() : match.limit().replaces().stream();
        }

        boolean isAmong(Set<String> replaced) {
            String name = match == null ? null : match.limit().name();
            return name != null && replaced.contains(name);
        }
    }

    /** The descriptors in the order of the request. */
    List<LimitedDescriptor> of(RateLimitRequest request, DescriptorSet descriptors) {
        String domain = request.getDomain();
        Optional<DescriptorTree> tree = descriptors.domain(domain);
        boolean hasRules = engine.rules().service().equals(domain);
        if (tree.isEmpty() && !hasRules) {
            return request.getDescriptorsList().stream()
                    .map(unknown -> new LimitedDescriptor(entries(unknown), null, List.of(), true))
                    .toList();
        }
        List<Found> found = request.getDescriptorsList().stream()
                .map(descriptor -> find(request, tree, descriptor))
                .toList();
        Set<String> replaced = found.stream().flatMap(Found::replaces).collect(Collectors.toSet());
        return found.stream()
                .map(descriptor -> limited(descriptor, replaced, hasRules))
                .toList();
    }

    private Found find(RateLimitRequest request, Optional<DescriptorTree> tree, RateLimitDescriptor descriptor) {
        List<DescriptorEntry> entries = entries(descriptor);
        long hits = hits(request, descriptor);
        Optional<DescriptorMatch> own = descriptor.hasLimit()
                ? brought.find(request.getDomain(), descriptor.getLimit(), entries)
                : Optional.empty();
        return own.isPresent()
                ? new Found(entries, own.get(), hits, true)
                : new Found(entries, tree.flatMap(known -> known.find(entries)).orElse(null), hits, false);
    }

    private static List<DescriptorEntry> entries(RateLimitDescriptor descriptor) {
        return descriptor.getEntriesList().stream()
                .map(entry -> new DescriptorEntry(entry.getKey(), entry.getValue()))
                .toList();
    }

    /** What the descriptor says counts before what the request says; where neither says anything, the cost is unnamed. */
    private static long hits(RateLimitRequest request, RateLimitDescriptor descriptor) {
        if (descriptor.hasHitsAddend()) {
            long hits = descriptor.getHitsAddend().getValue();
            return hits < 0 ? Limit.MOST_TOKENS : Math.min(hits, Limit.MOST_TOKENS);
        }
        long hits = Integer.toUnsignedLong(request.getHitsAddend());
        return hits == 0 ? RequestContext.NO_COST : hits;
    }

    private LimitedDescriptor limited(Found descriptor, Set<String> replaced, boolean hasRules) {
        boolean spends = descriptor.hits != 0;
        DescriptorMatch match = descriptor.isAmong(replaced) ? null : descriptor.match;
        DescriptorLimit limit = match == null ? null : match.limit();
        List<RuleCharge> charges = new ArrayList<>();
        if (match != null && match.limit().quota() != null) {
            charges.add(match.limit().quota().rule().charge(match.client(), Math.max(1, descriptor.hits)));
        }
        if (hasRules && !descriptor.brings) {
            charges.addAll(ownRules(
                    new DescriptorRequest(descriptor.entries, spends ? descriptor.hits : RequestContext.NO_COST)));
        }
        return new LimitedDescriptor(descriptor.entries, limit, List.copyOf(charges), spends);
    }

    /** Nobody tells how a request went: rules that must know it do not apply. */
    private List<RuleCharge> ownRules(RequestContext request) {
        return engine.limiter().chargesFor(request).stream()
                .filter(charge -> !charge.rule().mustBeSettled())
                .toList();
    }
}
