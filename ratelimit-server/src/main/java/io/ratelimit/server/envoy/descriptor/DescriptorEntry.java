package io.ratelimit.server.envoy.descriptor;

/**
 * One entry of a request's descriptor.
 *
 * @param key the key
 * @param value the value, which may be empty
 */
public record DescriptorEntry(String key, String value) {}
