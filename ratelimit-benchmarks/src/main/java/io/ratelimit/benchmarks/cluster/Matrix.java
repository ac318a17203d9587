package io.ratelimit.benchmarks.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A file of scenarios: all combinations of what its lists name. Those with as many hosts run on one cluster, unless there
 * are events: what these leave of a cluster is no place to begin. Read from YAML, where the names of the components are
 * those of the fields.
 *
 * @param name a title for the report
 * @param hosts numbers of hosts at the start
 * @param sharing ways to share
 * @param onFailure what answers if the store does not, {@code local} if nothing is said
 * @param limits limits
 * @param load multiples of the limit
 * @param skew ways to spread the load over hosts; an empty one is even, as if nothing is said
 * @param clients how many clients there are for each combination, 1 if nothing is said
 * @param storeTimeoutMillis how long a decision waits for the store, 20 if nothing is said
 * @param seconds how long the load of each lasts
 * @param together whether all combinations have their load at the same time, instead of one after the other
 * @param network what is between the hosts, nothing that can fail if nothing is said
 * @param atOnce whether all hosts start at the same time and are loaded as soon as they are ready
 * @param clockSeconds how far the wall clock of each host is from the right time, 0 if nothing is said
 * @param events what happens meanwhile
 */
record Matrix(
        String name,
        List<Integer> hosts,
        List<String> sharing,
        String onFailure,
        List<ScenarioLimit> limits,
        List<Double> load,
        List<List<Double>> skew,
        int clients,
        long storeTimeoutMillis,
        int seconds,
        boolean together,
        Network.Kind network,
        boolean atOnce,
        List<Long> clockSeconds,
        List<Scenario.Event> events) {

    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

    /** Fills in what the file leaves out, which comes as null. */
    Matrix {
        skew = skew == null ? List.of(List.of()) : skew;
        events = events == null ? List.of() : events;
    }

    static Matrix read(Path file) throws IOException {
        return YAML.readValue(Files.readString(file), Matrix.class);
    }

    /** Scenarios for each cluster, in groups that have their load at the same time. */
    List<List<List<Scenario>>> clusters() {
        List<List<List<Scenario>>> clusters = new ArrayList<>();
        for (int count : hosts) {
            List<Scenario> all = scenarios(count);
            List<List<Scenario>> groups =
                    together ? List.of(all) : all.stream().map(List::of).toList();
            if (events.isEmpty()) {
                clusters.add(groups);
            } else {
                groups.forEach(group -> clusters.add(List.of(group)));
            }
        }
        return clusters;
    }

    private List<Scenario> scenarios(int count) {
        List<Scenario> all = new ArrayList<>();
        for (String how : sharing) {
            for (ScenarioLimit limit : limits) {
                load.forEach(times -> skew.stream()
                        // One host alone has nothing to spread.
                        .filter(spread -> count > 1 || spread.isEmpty())
                        .forEach(spread -> all.add(scenario(count, how, limit, times, spread))));
            }
        }
        return all;
    }

    private Scenario scenario(int count, String how, ScenarioLimit limit, double times, List<Double> spread) {
        String title = String.format(
                Locale.ROOT,
                "%s: %s × %,d/s%s",
                name,
                times == Math.rint(times) ? Integer.toString((int) times) : Double.toString(times),
                (long) limit.perSecond(),
                spread.isEmpty() ? "" : ", skewed");
        return new Scenario(
                title,
                count,
                limit,
                how,
                onFailure,
                storeTimeoutMillis,
                times,
                clients,
                spread,
                seconds,
                network,
                atOnce,
                clockSeconds,
                events);
    }
}
