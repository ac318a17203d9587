package io.ratelimit.benchmarks;

/**
 * Something that figures depend on.
 *
 * @param name what it is, such as {@code JDK}
 * @param value how it was in the run
 */
public record Fact(String name, String value) {}
