package io.ratelimit.jgroups;

import static org.awaitility.Awaitility.await;

import io.ratelimit.TimeSource;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.MessageBroadcaster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/** Hosts of a group in this JVM, on ports of their own. */
final class TestGroup implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(40);

    private final Map<String, String> settings;
    private final List<Host> hosts = new ArrayList<>();

    /** A host, and what it has heard. */
    record Host(BucketStore store, List<String> heard) {

        MessageBroadcaster broadcaster() {
            return Objects.requireNonNull(store.broadcaster());
        }

        void tellAll(String message) {
            broadcaster().broadcast(message.getBytes(StandardCharsets.UTF_8));
        }
    }

    TestGroup(String... settings) {
        this.settings = new TreeMap<>(
                Map.of("cluster", "test-" + UUID.randomUUID(), "memberPort", Integer.toString(freePort())));
        put(this.settings, settings);
    }

    private static void put(Map<String, String> settings, String... more) {
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
    }

    /** The first of some ports that were free a moment ago. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Math.min(socket.getLocalPort(), 65_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return Integer.parseInt(Objects.requireNonNull(settings.get("memberPort")));
    }

    /** Starts a host whose settings are those of the group but for some. */
    Host start(String... differing) {
        Map<String, String> own = new TreeMap<>(settings);
        put(own, differing);
        own.values().removeIf(String::isEmpty);
        BucketStore store = new JGroupsBucketStoreFactory().create(own, TimeSource.system());
        Host host = new Host(store, new CopyOnWriteArrayList<>());
        hosts.add(host);
        host.broadcaster().listen(message -> host.heard().add(new String(message, StandardCharsets.UTF_8)));
        return host;
    }

    /** All hosts know of so many. */
    void awaitHosts(int count) {
        await().atMost(PATIENCE)
                .until(() -> hosts.stream().allMatch(host -> host.store().hosts() == count));
    }

    @Override
    public void close() {
        hosts.forEach(host -> host.store().close());
    }
}
