package io.ratelimit.hazelcast;

import com.hazelcast.core.HazelcastInstance;
import io.ratelimit.TimeSource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Members in this JVM, on ports of their own. */
final class TestCluster implements AutoCloseable {

    private final String name = "test-" + UUID.randomUUID();
    private final int port = freePort();
    private final List<HazelcastInstance> members = new ArrayList<>();

    /** A port that was free a moment ago. */
    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return Math.min(socket.getLocalPort(), 65_000);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Map<String, String> settings() {
        return Map.of("cluster", name, "memberPort", Integer.toString(port));
    }

    HazelcastInstance start() {
        HazelcastInstance member = new EmbeddedMember(MemberSettings.parse(settings())).start();
        members.add(member);
        return member;
    }

    HazelcastInstance member(int index) {
        return members.get(index);
    }

    /** A store on a member whose buckets go by this clock from now on. */
    HazelcastBucketStore storeWithClock(int index, TimeSource timeSource) {
        HazelcastInstance member = members.get(index);
        member.getUserContext().clear();
        return new HazelcastBucketStore(member, null, timeSource, false);
    }

    @Override
    public void close() {
        members.forEach(member -> member.getLifecycleService().terminate());
    }
}
