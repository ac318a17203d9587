package io.ratelimit.server.envoy.descriptor;

import org.jspecify.annotations.Nullable;

/**
 * A descriptor of a file.
 *
 * @param step what an entry must be to get here
 * @param limit the limit for requests that end here, or null
 * @param below where the next entry is looked for
 */
record DescriptorNode(PathStep step, @Nullable DescriptorLimit limit, DescriptorLevel below) {}
