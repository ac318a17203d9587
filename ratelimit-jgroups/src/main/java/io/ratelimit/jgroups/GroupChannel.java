package io.ratelimit.jgroups;

import com.google.common.base.Throwables;
import io.ratelimit.core.thread.PassingThread;
import io.ratelimit.store.StoreException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This host's place in a group: who else is there, and a way to tell all or one of them something. What is told is sent at
 * once, and not again when it gets lost: the next message says the same. Thread-safe.
 */
final class GroupChannel implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(GroupChannel.class);

    /** Of a datagram; the rest is what JGroups puts before a message, and the seal. */
    static final int MOST_BYTES = 1_250;

    /** First bytes of messages. */
    private static final byte NEWS = 1;

    private static final byte GREETING = 2;

    private static final int MOST_NAMED = 10;

    private final JChannel channel;
    private final Greeting own;
    private final List<Consumer<byte[]>> listeners = new CopyOnWriteArrayList<>();
    private volatile List<UUID> members = List.of();
    private volatile Set<Address> present = Set.of();

    private GroupChannel(JChannel channel, Greeting own) {
        this.channel = channel;
        this.own = own;
    }

    /**
     * Joins a group, or begins one.
     *
     * @param channel not connected yet; closed with this
     * @param cluster the group's name
     * @param own what this host tells others when they meet
     * @param expectsOthers whether somebody has said where other hosts are
     * @throws StoreException if there is no port, or what tells of others cannot be reached
     */
    static GroupChannel join(JChannel channel, String cluster, Greeting own, boolean expectsOthers) {
        GroupChannel joined = new GroupChannel(channel, own);
        PassingThread.run(() -> joined.connect(cluster));
        if (expectsOthers && joined.members.size() == 1) {
            LOG.warn(
                    "This host is ALONE in the group '{}': nobody answers where setting members says; budgets are shared as"
                            + " soon as another host is found",
                    cluster);
        }
        return joined;
    }

    private void connect(String cluster) {
        channel.setReceiver(new Hearing());
        try {
            channel.connect(cluster);
            LOG.info(
                    "This host is {} at {}, in the group '{}', topology {}",
                    channel.getAddress(),
                    channel.down(new Event(Event.GET_PHYSICAL_ADDRESS, channel.getAddress())),
                    cluster,
                    own.topology());
        } catch (Exception e) {
            channel.close();
            throw new StoreException(
                    "store-error", "the group '" + cluster + "' could not be joined: " + Throwables.getRootCause(e));
        }
    }

    UUID self() {
        return MemberName.of(channel.getAddress());
    }

    /** The hosts that are there, this one among them; the same list until they change. */
    List<UUID> members() {
        return members;
    }

    void listen(Consumer<byte[]> listener) {
        listeners.add(listener);
    }

    /**
     * Tells something.
     *
     * @param to one host, or null for all others
     */
    void tell(@Nullable UUID to, byte[] message) {
        send(letter(to == null ? null : MemberName.address(to), NEWS, message)
                .setFlag(Message.Flag.NO_RELIABILITY, Message.Flag.NO_FC)
                .setFlag(Message.TransientFlag.DONT_LOOPBACK, Message.TransientFlag.DONT_BLOCK));
    }

    private void greet(Address to) {
        send(letter(to, GREETING, own.toBytes()).setFlag(Message.TransientFlag.DONT_BLOCK));
    }

    private static Message letter(@Nullable Address to, byte kind, byte[] message) {
        byte[] bytes = new byte[message.length + 1];
        bytes[0] = kind;
        System.arraycopy(message, 0, bytes, 1, message.length);
        return new BytesMessage(to, bytes).setFlag(Message.Flag.OOB);
    }

    private void send(Message message) {
        try {
            channel.send(message);
        } catch (Exception e) {
            LOG.debug("Other hosts could not be told", e);
        }
    }

    @Override
    public void close() {
        listeners.clear();
        PassingThread.run(channel::close);
    }

    /** What JGroups tells of the group. */
    private final class Hearing implements Receiver {

        private final AtomicBoolean complained = new AtomicBoolean();
        private @Nullable Address first;

        @Override
        public void receive(Message message) {
            try {
                byte[] array = message.getArray();
                Address from = message.getSrc();
                if (message.getLength() == 0 || array == null || from.equals(channel.getAddress())) {
                    return;
                }
                int begin = message.getOffset();
                byte[] content = Arrays.copyOfRange(array, begin + 1, begin + message.getLength());
                switch (array[begin]) {
                    case NEWS -> hear(from, content);
                    case GREETING -> met(from, Greeting.of(content));
                    default -> metOtherVersion(from);
                }
            } catch (RuntimeException e) {
                LOG.debug("What another host has told could not be heard", e);
            }
        }

        /** Of a process that has ended, recorded messages may be sent again. */
        private void hear(Address from, byte[] news) {
            if (present.contains(from)) {
                listeners.forEach(listener -> listener.accept(news));
            }
        }

        private void met(Address from, @Nullable Greeting other) {
            if (other == null) {
                metOtherVersion(from);
                return;
            }
            if (!other.topology().equals(own.topology())) {
                LOG.error(
                        "{} has topology: {} and this host {}, so that they do not hear one another and do not share"
                                + " budgets: give all hosts the same one",
                        from,
                        other.topology(),
                        own.topology());
            }
            if (!other.fingerprint().equals(own.fingerprint())) {
                LOG.error(
                        "{} has another clusterSecret than this host, so that they do not share budgets: give all hosts"
                                + " the same one",
                        from);
            }
        }

        private void metOtherVersion(Address from) {
            if (!complained.getAndSet(true)) {
                LOG.error(
                        "{} has a version of ratelimit that this host does not understand, so that they do not share"
                                + " budgets: give all hosts the same one. This is said once",
                        from);
            }
        }

        /** Hosts that stay and those that are new meet in the one that has been there longest. */
        @Override
        public void viewAccepted(View next) {
            List<UUID> known = members;
            members = next.getMembers().stream().map(MemberName::of).toList();
            present = Set.copyOf(next.getMembers());
            List<Address> named = next.getMembers().subList(0, Math.min(MOST_NAMED, next.size()));
            LOG.info("Hosts in the group: {}, {}", next.size(), named);
            Address before = first;
            first = Objects.requireNonNull(next.getCoord());
            if (!first.equals(channel.getAddress())) {
                if (!first.equals(before)) {
                    greet(first);
                }
                return;
            }
            Set<UUID> met = new HashSet<>(known);
            met.add(self());
            next.getMembers().stream()
                    .filter(member -> !met.contains(MemberName.of(member)))
                    .forEach(GroupChannel.this::greet);
        }
    }
}
