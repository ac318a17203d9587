package io.ratelimit.benchmarks.cluster;

import java.util.List;

/** All hosts on the loopback address, where nothing is ever lost. */
final class Loopback implements Network {

    @Override
    public String address(int host) {
        return "127.0.0.1";
    }

    @Override
    public List<String> prefix(int host) {
        return List.of();
    }

    @Override
    public void cut(int host) {
        throw nothingToCut();
    }

    @Override
    public void mute(int host) {
        throw nothingToCut();
    }

    @Override
    public void heal(int host) {
        throw nothingToCut();
    }

    private static IllegalStateException nothingToCut() {
        return new IllegalStateException("hosts on the loopback address cannot be parted: write 'namespaces: true'");
    }

    @Override
    public void close() {}
}
