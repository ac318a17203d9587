package io.ratelimit.benchmarks.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** All hosts on the loopback address, where nothing is ever lost. */
final class Loopback implements Network {

    private final MemberAddresses members;

    Loopback(List<Integer> ports) {
        this.members = new MemberAddresses(
                ports.stream().map(port -> "127.0.0.1:" + port).toList());
    }

    @Override
    public List<String> prefix(int host) {
        return List.of();
    }

    @Override
    public Map<String, String> settings(int host, String cluster, Path directory) {
        return members.settings(host, cluster);
    }

    @Override
    public void begin(Scenario.Action action, int host) {
        throw new IllegalStateException("nothing on the loopback address can " + action
                + ": write 'network: PROXIES' or 'network: NAMESPACES'");
    }

    @Override
    public void heal(int host) {}

    @Override
    public void close() {}
}
