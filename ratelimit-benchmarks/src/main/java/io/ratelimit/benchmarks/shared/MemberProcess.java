package io.ratelimit.benchmarks.shared;

import com.hazelcast.config.Config;
import com.hazelcast.config.MapConfig;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;

/** One member with all limiters, in a process of its own. Told what to do by lines on standard input. */
public final class MemberProcess {

    /** What is said before everything that the other process is to read. */
    static final String WORD = "member: ";

    private static final int CLIENTS = 200;

    private final SharedLimiters limiters;

    private MemberProcess(SharedLimiters limiters) {
        this.limiters = limiters;
    }

    /**
     * Runs.
     *
     * @param args the cluster's name, this member's port and the ports of all, with commas between them
     * @throws IOException if the other process has gone
     * @throws InterruptedException if the thread is interrupted
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        HazelcastInstance instance = Hazelcast.newHazelcastInstance(config(args[0], args[1], args[2]));
        try (SharedLimiters limiters = new SharedLimiters(instance)) {
            new MemberProcess(limiters).listen();
        }
        System.exit(0);
    }

    private static Config config(String cluster, String port, String ports) {
        Config config = new Config();
        config.setClusterName(cluster);
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.setProperty("hazelcast.logging.type", "slf4j");
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.wait.seconds.before.join", "1");
        for (String map : List.of(SharedLimiters.BARE_MAP, SharedLimiters.BUCKET4J_MAP)) {
            config.addMapConfig(new MapConfig(map)
                    .setBackupCount(0)
                    .setAsyncBackupCount(1)
                    .setStatisticsEnabled(false)
                    .setPerEntryStatsEnabled(false));
        }
        config.getNetworkConfig().setPort(Integer.parseInt(port)).setPortAutoIncrement(false);
        config.getNetworkConfig().getInterfaces().setEnabled(true).addInterface("127.0.0.1");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.getNetworkConfig().getJoin().getAutoDetectionConfig().setEnabled(false);
        config.getNetworkConfig()
                .getJoin()
                .getTcpIpConfig()
                .setEnabled(true)
                .setMembers(Arrays.stream(ports.split(",", -1))
                        .map(other -> "127.0.0.1:" + other)
                        .toList());
        return config;
    }

    private void listen() throws IOException, InterruptedException {
        say("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            Asked asked = Asked.valueOf(words[1]);
            if (words[0].equals("time")) {
                time(asked, Integer.parseInt(words[2]));
            } else {
                hot(asked, Integer.parseInt(words[2]), Long.parseLong(words[3]));
            }
        }
    }

    /** {@code time WHAT CALLS}: how long calls take, one after the other, in nanoseconds. */
    private void time(Asked asked, int calls) {
        List<BooleanSupplier> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            boolean hot = asked == Asked.OURS_LEASED || asked == Asked.OURS_HOST || asked == Asked.OURS_EVENTUAL;
            clients.add(limiters.of(asked, hot ? "hot" : "client-" + i));
        }
        long[] took = new long[calls];
        for (int i = 0; i < calls; i++) {
            long begun = System.nanoTime();
            boolean passed = clients.get(i % CLIENTS).getAsBoolean();
            took[i] = System.nanoTime() - begun;
            if (!passed) {
                throw new IllegalStateException(asked + " refused");
            }
        }
        Arrays.sort(took);
        say("took " + took[calls / 2] + " " + took[(int) (calls * 0.99)]);
    }

    /** {@code hot WHAT THREADS NANOS}: how many calls for one client threads get done together. */
    private void hot(Asked asked, int threads, long nanos) throws InterruptedException {
        LongAdder done = new LongAdder();
        long end = System.nanoTime() + nanos;
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            BooleanSupplier call = limiters.of(asked, "hot");
            Thread thread = new Thread(() -> {
                while (System.nanoTime() - end < 0) {
                    if (call.getAsBoolean()) {
                        done.increment();
                    }
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        say("done " + done.sum());
    }

    private static void say(String line) {
        System.out.println(WORD + line);
        System.out.flush();
    }
}
