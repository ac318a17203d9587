package io.ratelimit.benchmarks.cluster;

import java.util.List;
import java.util.Map;

/**
 * Where the members of a cluster are, each as {@code HOST:PORT}.
 *
 * @param all by their numbers
 */
record MemberAddresses(List<String> all) {

    /** The settings of one of them. */
    Map<String, String> settings(int member, String cluster) {
        String own = all.get(member);
        int colon = own.indexOf(':');
        return Map.of(
                "cluster", cluster,
                "memberAddress", own.substring(0, colon),
                "memberPort", own.substring(colon + 1),
                "members", String.join(",", all));
    }
}
