package io.ratelimit.benchmarks.cluster;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What happens in a run. Read from YAML, where the names of the components are those of the fields.
 *
 * @param name a title for the report
 * @param hosts how many hosts there are at the start, 1 if nothing is said
 * @param tokens tokens of the limit
 * @param periodMillis its period, a second if nothing is said
 * @param burst its burst, as many as the tokens if nothing is said
 * @param sharing how hosts share the buckets, {@code exact} if nothing is said
 * @param onFailure what answers if the store does not, {@code local} if nothing is said
 * @param storeTimeoutMillis how long a decision waits for the store, 20 if nothing is said
 * @param load requests of each client at all hosts together, as a multiple of the limit
 * @param clients how many clients there are, 1 if nothing is said
 * @param skew how the load is spread over hosts: a weight for each, equal ones if nothing is said
 * @param seconds how long the load lasts
 * @param namespaces whether each host has a network namespace of its own, so that it can be cut off
 * @param events what happens meanwhile
 */
record Scenario(
        String name,
        int hosts,
        long tokens,
        long periodMillis,
        long burst,
        String sharing,
        String onFailure,
        long storeTimeoutMillis,
        double load,
        int clients,
        List<Double> skew,
        int seconds,
        boolean namespaces,
        List<Event> events) {

    /** What may happen to a host. */
    enum Action {
        /** It is stopped as it stands, and goes on later (SIGSTOP, SIGCONT). */
        FREEZE,
        /** It is gone at once (SIGKILL). */
        KILL,
        /** It is shut down in good order. */
        LEAVE,
        /** Another host is started. */
        JOIN,
        /** It is cut off from the others, and the cut heals later. */
        CUT,
        /** What it sends is lost for a while, and what it is sent arrives. */
        MUTE
    }

    /**
     * Something that happens.
     *
     * @param at seconds after the load has begun
     * @param action what happens
     * @param host to which host, counted from 0; of no meaning for one that joins
     * @param seconds how long it lasts, where that has a meaning
     */
    record Event(double at, Action action, int host, double seconds) {}

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory())
            .enable(DeserializationFeature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            .findAndRegisterModules();

    /** Fills in what the file leaves out, which comes as null or 0. */
    Scenario {
        hosts = Math.max(1, hosts);
        periodMillis = periodMillis == 0 ? 1_000 : periodMillis;
        burst = burst == 0 ? tokens : burst;
        sharing = sharing == null ? "exact" : sharing;
        onFailure = onFailure == null ? "local" : onFailure;
        storeTimeoutMillis = storeTimeoutMillis == 0 ? 20 : storeTimeoutMillis;
        clients = Math.max(1, clients);
        skew = skew == null ? List.of() : List.copyOf(skew);
        events = events == null ? List.of() : List.copyOf(events);
    }

    static Scenario read(Path file) throws IOException {
        return YAML.readValue(Files.readString(file), Scenario.class);
    }

    /** Tokens per second. */
    double rate() {
        return tokens * 1_000.0 / periodMillis;
    }

    /** Requests per second of one client at one host. */
    double rateAt(int host) {
        double all = load * rate();
        if (skew.isEmpty()) {
            return all / hosts;
        }
        double sum = skew.stream().mapToDouble(Double::doubleValue).sum();
        return host < skew.size() ? all * skew.get(host) / sum : 0;
    }

    /** Tokens that a client may be refused though they are there: what leases hold, and what the shared bucket leaves them. */
    double mayLieIdle() {
        return sharing.equals("leased") ? burst / 4.0 : 0;
    }

    String rules() {
        return String.join(
                "\n",
                "service: orders",
                "clients: [user]",
                "rules:",
                "  - name: everyone",
                "    match: { path: /** }",
                "    sharing: " + sharing,
                "    onFailure: " + onFailure,
                "    storeTimeout: " + storeTimeoutMillis + "ms",
                "    limits: [{ tokens: " + tokens + ", per: " + periodMillis + "ms, burst: " + burst + " }]",
                "");
    }
}
