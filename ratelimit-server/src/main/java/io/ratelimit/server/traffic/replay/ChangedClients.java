package io.ratelimit.server.traffic.replay;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts the requests that fare otherwise under the draft, by client. Not thread-safe. */
final class ChangedClients {

    private static final int MOST_TOLD = 20;

    private final Map<String, Double> requests = new HashMap<>();

    void count(String client, double share) {
        requests.merge(client, 1 / share, Double::sum);
    }

    List<ClientChange> most() {
        return requests.entrySet().stream()
                .map(entry -> new ClientChange(entry.getKey(), Math.round(entry.getValue())))
                .sorted(Comparator.comparingLong(ClientChange::requests)
                        .reversed()
                        .thenComparing(ClientChange::client))
                .limit(MOST_TOLD)
                .toList();
    }
}
