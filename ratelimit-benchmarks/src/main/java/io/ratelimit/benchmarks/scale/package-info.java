/**
 * What becomes of speed and memory with millions of clients, while they come and go, and with more threads: the evidence
 * for what is promised of large services. Each measurement in a process of its own.
 */
@NullMarked
package io.ratelimit.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
