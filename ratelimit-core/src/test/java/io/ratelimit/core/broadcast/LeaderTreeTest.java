package io.ratelimit.core.broadcast;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LeaderTreeTest {

    private final Random random = new Random(1);

    private List<UUID> hosts(int count) {
        List<UUID> hosts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            hosts.add(new UUID(random.nextLong(), random.nextLong()));
        }
        return hosts;
    }

    @Test
    void fewHostsTellTheLeaderItself() {
        List<UUID> hosts = hosts(17);
        List<UUID> above = hosts.stream()
                .map(host -> new LeaderTree(3, host, hosts).above())
                .toList();
        assertThat(above).filteredOn(host -> host == null).hasSize(1);
        assertThat(above).filteredOn(host -> host != null).containsOnly(hosts.get(above.indexOf(null)));
    }

    @Test
    void noHostHasMoreThanAFewBelowItAndAllReachTheLeader() {
        List<UUID> hosts = hosts(1_000);
        Map<UUID, UUID> above = new HashMap<>();
        Map<UUID, Integer> below = new HashMap<>();
        for (UUID host : hosts) {
            UUID parent = new LeaderTree(3, host, hosts).above();
            if (parent != null) {
                above.put(host, parent);
                below.merge(parent, 1, Integer::sum);
            }
        }
        assertThat(above).hasSize(999);
        assertThat(below.values()).allMatch(count -> count <= LeaderTree.WIDTH);
        for (UUID host : hosts) {
            int steps = 0;
            for (UUID next = above.get(host); next != null; next = above.get(next)) {
                steps++;
            }
            // 16 + 256 + 4,096 places below the leader.
            assertThat(steps).isLessThanOrEqualTo(3);
        }
    }

    @Test
    void ofAnyTwoOneMayTellTheOtherWhomeverTheyKnow() {
        List<UUID> hosts = hosts(20);
        for (UUID one : hosts) {
            for (UUID other : hosts) {
                if (!one.equals(other)) {
                    assertThat(new LeaderTree(5, one, List.of(one)).isBelow(other))
                            .isNotEqualTo(new LeaderTree(5, other, hosts).isBelow(one));
                }
            }
        }
    }

    @Test
    void rangesHaveDifferentLeaders() {
        List<UUID> hosts = hosts(10);
        long leading = hosts.stream()
                .filter(host -> {
                    for (int range = 0; range < 16; range++) {
                        if (new LeaderTree(range, host, hosts).above() == null) {
                            return true;
                        }
                    }
                    return false;
                })
                .count();
        assertThat(leading).isGreaterThan(5);
    }

    @Test
    void aHostThatComesChangesWhoIsAboveForFew() {
        List<UUID> hosts = hosts(16);
        List<UUID> more = new ArrayList<>(hosts);
        more.addAll(hosts(1));
        long changed = hosts.stream()
                .filter(host -> {
                    UUID before = new LeaderTree(2, host, hosts).above();
                    return before != null && !before.equals(new LeaderTree(2, host, more).above());
                })
                .count();
        // None, unless the new host leads.
        assertThat(changed).isIn(0L, 15L);
    }
}
