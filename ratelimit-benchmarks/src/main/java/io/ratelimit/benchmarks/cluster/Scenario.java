package io.ratelimit.benchmarks.cluster;

import java.util.List;
import java.util.Locale;

/**
 * What happens in a run. Read from YAML, where the names of the components are those of the fields.
 *
 * @param name a title for the report
 * @param hosts how many hosts there are at the start, 1 if nothing is said
 * @param limit what each client may
 * @param sharing how hosts share the buckets, {@code exact} if nothing is said
 * @param onFailure what answers if the store does not, {@code local} if nothing is said
 * @param storeTimeoutMillis how long a decision waits for the store, 20 if nothing is said
 * @param load requests of each client at all hosts together, as a multiple of the limit
 * @param clients how many clients there are, 1 if nothing is said
 * @param skew how the load is spread over hosts: a weight for each, equal ones if nothing is said
 * @param seconds how long the load lasts
 * @param network what is between the hosts, nothing that can fail if nothing is said
 * @param atOnce whether all hosts start at the same time and are loaded as soon as they are ready
 * @param clockSeconds how far the wall clock of each host is from the right time, 0 if nothing is said
 * @param events what happens meanwhile
 */
record Scenario(
        String name,
        int hosts,
        ScenarioLimit limit,
        String sharing,
        String onFailure,
        long storeTimeoutMillis,
        double load,
        int clients,
        List<Double> skew,
        int seconds,
        Network.Kind network,
        boolean atOnce,
        List<Long> clockSeconds,
        List<Event> events) {

    /** What may happen to a host. */
    enum Action {
        /** It is stopped as it stands, and goes on later (SIGSTOP, SIGCONT). */
        FREEZE,
        /** It is gone at once (SIGKILL). */
        KILL,
        /** It is shut down in good order. */
        LEAVE,
        /** Another host is started, and sends as much as the first. */
        JOIN,
        /** It is cut off from the others, and the cut heals later. */
        CUT,
        /** What it sends is lost for a while, and what it is sent arrives. */
        MUTE,
        /** What it sends and is sent takes 50 to 500 ms longer for a while. */
        DELAY,
        /** Its wall clock is set forward for a while, by an hour. */
        CLOCK;

        /** Whether it is over after a time. */
        boolean lasts() {
            return this != KILL && this != LEAVE && this != JOIN;
        }

        /** Whether hosts cannot agree meanwhile. */
        boolean isFault() {
            return this != LEAVE && this != JOIN && this != CLOCK;
        }
    }

    /**
     * Something that happens.
     *
     * @param at seconds after the load has begun
     * @param action what happens
     * @param host to which host, counted from 0; of no meaning for one that joins
     * @param seconds how long it lasts, where that has a meaning
     */
    record Event(double at, Action action, int host, double seconds) {

        double end() {
            return at + (action.lasts() ? seconds : 0);
        }
    }

    /** Fills in what the file leaves out, which comes as null or 0. */
    Scenario {
        hosts = Math.max(1, hosts);
        sharing = sharing == null ? "exact" : sharing;
        onFailure = onFailure == null ? "local" : onFailure;
        storeTimeoutMillis = storeTimeoutMillis == 0 ? 20 : storeTimeoutMillis;
        clients = Math.max(1, clients);
        skew = skew == null ? List.of() : List.copyOf(skew);
        network = network == null ? Network.Kind.LOOPBACK : network;
        clockSeconds = clockSeconds == null ? List.of() : List.copyOf(clockSeconds);
        events = events == null ? List.of() : List.copyOf(events);
    }

    /** Requests per second of one client at one host. Hosts that join later send what the first does. */
    double rateAt(int host) {
        double all = load * limit.perSecond() / limit.cost();
        if (skew.isEmpty()) {
            return all / hosts;
        }
        double sum = skew.stream().limit(hosts).mapToDouble(Double::doubleValue).sum();
        return all * skew.get(host < skew.size() ? host : 0) / sum;
    }

    boolean isEvenlySpread() {
        return skew.isEmpty();
    }

    /** How far the wall clock of a host is from the right time, in milliseconds. */
    long clockMillis(int host) {
        return host < clockSeconds.size() ? clockSeconds.get(host) * 1_000 : 0;
    }

    /** The most hosts that there may be at a time. */
    int mostHosts() {
        return hosts
                + (int) events.stream()
                        .filter(event -> event.action() == Action.JOIN)
                        .count();
    }

    /** The rules of a cluster on which scenarios run one after the other, each with a rule and a path of its own. */
    static String rules(List<Scenario> scenarios) {
        StringBuilder costs = new StringBuilder("costs:\n");
        StringBuilder rules = new StringBuilder("rules:\n");
        for (int i = 0; i < scenarios.size(); i++) {
            Scenario scenario = scenarios.get(i);
            costs.append(String.format(
                    Locale.ROOT,
                    "  - { path: %s, cost: %d }%n",
                    path(i),
                    scenario.limit().cost()));
            rules.append(String.format(
                    Locale.ROOT,
                    "  - { name: scenario-%d, match: { path: %s }, sharing: %s, onFailure: %s, storeTimeout: %dms,"
                            + " limits: [%s] }%n",
                    i,
                    path(i),
                    scenario.sharing(),
                    scenario.onFailure(),
                    scenario.storeTimeoutMillis(),
                    scenario.limit().yaml()));
        }
        return "service: orders\nclients: [user]\n" + costs + rules;
    }

    /** The path of the requests of a scenario. */
    static String path(int scenario) {
        return "/scenarios/" + scenario;
    }
}
