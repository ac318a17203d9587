package io.ratelimit.benchmarks.simulation;

import java.util.Arrays;

/** What each host has sent since it was last forgotten; what is lost or comes twice counts as sent once. */
final class Traffic {

    private final long[] messages;
    private final long[] bytes;

    Traffic(int hosts) {
        this.messages = new long[hosts];
        this.bytes = new long[hosts];
    }

    void sent(int host, long length) {
        messages[host]++;
        bytes[host] += length;
    }

    void forget() {
        Arrays.fill(messages, 0);
        Arrays.fill(bytes, 0);
    }

    double meanMessages() {
        return Arrays.stream(messages).average().orElse(0);
    }

    double mostMessages() {
        return Arrays.stream(messages).max().orElse(0);
    }

    double meanBytes() {
        return Arrays.stream(bytes).average().orElse(0);
    }

    double mostBytes() {
        return Arrays.stream(bytes).max().orElse(0);
    }
}
