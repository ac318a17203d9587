package io.ratelimit.hazelcast;

import com.hazelcast.topic.ITopic;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.MessageBroadcaster;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages to the other hosts on a topic of the cluster. Thread-safe. */
final class TopicBroadcaster implements MessageBroadcaster {

    /** The topic. */
    static final String TOPIC = "ratelimit.consumption";

    private static final Logger LOG = LoggerFactory.getLogger(TopicBroadcaster.class);

    private final ITopic<byte[]> topic;
    private final ClusterSecret secret;
    private final IntSupplier hosts;
    private final List<UUID> listeners = new CopyOnWriteArrayList<>();

    TopicBroadcaster(ITopic<byte[]> topic, ClusterSecret secret, IntSupplier hosts) {
        this.topic = topic;
        this.secret = secret;
        this.hosts = hosts;
    }

    @Override
    public void broadcast(byte[] message) {
        try {
            topic.publishAsync(message).exceptionally(failure -> {
                LOG.debug("Other hosts could not be told what was spent", failure);
                return null;
            });
        } catch (RuntimeException e) {
            LOG.debug("Other hosts could not be told what was spent", e);
        }
    }

    @Override
    public void listen(Consumer<byte[]> listener) {
        listeners.add(PassingThread.call(
                () -> topic.addMessageListener(message -> listener.accept(message.getMessageObject()))));
    }

    @Override
    public byte[] secret() {
        return secret.keys().secret();
    }

    @Override
    public int hosts() {
        return Math.max(1, hosts.getAsInt());
    }

    @Override
    public void close() {
        listeners.forEach(topic::removeMessageListener);
        listeners.clear();
    }
}
