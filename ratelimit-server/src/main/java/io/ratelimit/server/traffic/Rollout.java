package io.ratelimit.server.traffic;

import java.util.List;

/**
 * How far rules have come among the hosts of a service.
 *
 * @param tag the tag of the rules
 * @param hosts all hosts that are known, by name
 */
public record Rollout(String tag, List<FleetHost> hosts) {

    /** Copies the hosts. */
    public Rollout {
        hosts = List.copyOf(hosts);
    }

    /**
     * How many hosts are in a state.
     *
     * @param state the state
     * @return at least 0
     */
    public int count(FleetHost.State state) {
        return (int) hosts.stream().filter(host -> host.state() == state).count();
    }

    /**
     * Whether all hosts that are heard of run these rules.
     *
     * @return false where one runs others, or none is heard of
     */
    public boolean isComplete() {
        return count(FleetHost.State.CURRENT) > 0 && count(FleetHost.State.OTHER) == 0;
    }
}
