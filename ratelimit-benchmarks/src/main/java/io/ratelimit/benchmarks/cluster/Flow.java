package io.ratelimit.benchmarks.cluster;

/**
 * Requests of one kind.
 *
 * @param path their path
 * @param rate of each client, each second
 */
record Flow(String path, double rate) {}
