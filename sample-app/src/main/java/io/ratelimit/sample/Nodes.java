package io.ratelimit.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The nodes of this process. */
final class Nodes {

    private static final Logger LOG = LoggerFactory.getLogger(Nodes.class);

    private final List<Node> nodes;
    private volatile boolean stopping;

    private Nodes(List<Node> nodes) {
        this.nodes = nodes;
    }

    /**
     * Makes nodes on consecutive ports, and takes all the ports before anything is started.
     *
     * @throws StartException if one is taken
     */
    static Nodes open(int firstPort, int count) {
        return new Nodes(IntStream.range(firstPort, firstPort + count)
                .mapToObj(Node::open)
                .toList());
    }

    /**
     * Starts the nodes one after the other, so that each finds the members before it.
     *
     * @param rules where the rules come from, by the names of the settings
     * @param sharing how the nodes share their buckets
     * @param members hears where each member listens
     * @throws Exception if a node cannot be started
     */
    void start(Map<String, String> rules, Sharing sharing, Consumer<HostAndPort> members) throws Exception {
        for (Node node : nodes) {
            if (stopping) {
                return;
            }
            Map<String, String> settings = new TreeMap<>(rules);
            settings.putAll(sharing.next());
            node.start(settings);
            node.member().ifPresent(member -> {
                sharing.joined(member);
                members.accept(member);
            });
        }
        new WarmUp(nodes).run();
    }

    /** The nodes' addresses, separated by blanks. */
    String urls() {
        return nodes.stream().map(Node::url).collect(Collectors.joining(" "));
    }

    boolean isStopping() {
        return stopping;
    }

    /** Stops all nodes at the same time. */
    void stop() throws InterruptedException {
        stopping = true;
        List<Thread> threads = new ArrayList<>();
        for (Node node : nodes) {
            Thread thread = new Thread(() -> stop(node), "stop " + node.url());
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void stop(Node node) {
        try {
            node.stop();
        } catch (Exception e) {
            LOG.warn("{} did not stop cleanly: {}", node.url(), e.toString());
        }
    }
}
