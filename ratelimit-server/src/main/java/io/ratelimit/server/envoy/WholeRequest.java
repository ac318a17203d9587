package io.ratelimit.server.envoy;

import io.ratelimit.RequestContext;
import io.ratelimit.core.watch.WordedRequest;
import io.ratelimit.server.envoy.descriptor.DescriptorEntry;
import io.ratelimit.server.proxied.RequestTarget;
import java.util.List;
import java.util.stream.Collectors;

/** A request of Envoy as listeners see it: with the entries of all descriptors. */
final class WholeRequest extends DescriptorRequest implements WordedRequest {

    private final String domain;
    private final List<LimitedDescriptor> descriptors;

    WholeRequest(String domain, List<LimitedDescriptor> descriptors) {
        super(
                descriptors.stream()
                        .flatMap(descriptor -> descriptor.entries().stream())
                        .toList(),
                RequestContext.NO_COST);
        this.domain = domain;
        this.descriptors = descriptors;
    }

    /** Domain and keys, with the values of method and path alone: those of others may tell who asks. */
    @Override
    public String inWords() {
        return descriptors.stream()
                .map(descriptor ->
                        descriptor.entries().stream().map(WholeRequest::told).collect(Collectors.joining(", ")))
                .collect(Collectors.joining(" | ", "domain " + domain + ": ", ""));
    }

    private static String told(DescriptorEntry entry) {
        return switch (entry.key()) {
            case "method" -> "method=" + entry.value();
            // Without its query.
            case "path" -> "path=" + RequestTarget.of(entry.value()).path();
            default -> entry.key();
        };
    }
}
