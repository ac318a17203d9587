package io.ratelimit.server.envoy.descriptor;

/**
 * Where the entries of a descriptor lead in a tree, in words for whoever has named them: values are shown, escaped and
 * shortened.
 *
 * @param isLimited whether there is a {@code rate_limit} at the end
 * @param reason which descriptor of the file it is, or why it is none
 * @param key what tells clients apart, for those that are limited
 */
public record DescriptorWay(boolean isLimited, String reason, String key) {}
