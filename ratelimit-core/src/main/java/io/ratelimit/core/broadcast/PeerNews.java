package io.ratelimit.core.broadcast;

import io.ratelimit.core.wire.SpecReader;
import io.ratelimit.core.wire.Wire;
import io.ratelimit.store.HostGroup;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message to one host: sums of one or many hosts, as a {@link PeerNewsWriter} has put them together.
 *
 * @param from the host that has sent it, as the group knows it
 * @param kind what it is about
 * @param entries the sums
 * @param known which sums the sender knows; null if it does not say so
 */
record PeerNews(
        UUID from, Kind kind, List<Entry> entries, @Nullable KnownSums known) {

    /** The first byte of each. */
    static final byte FORM = 2;

    static final long KNOWN_TAG = 1;

    /** After the form and the sender. */
    private static final int KIND_AT = 17;

    /** What a message is about. */
    enum Kind {
        /** Sums of many hosts in one, for a neighbour of the sender in the tree. */
        RELAYED(0),
        /** Sums of single hosts. */
        RUMOURS(1),
        /** These, from someone who wants to hear in answer what goes round here. */
        ASKING(2),
        /** What the sender knows, from someone who wants to hear in answer what it does not. */
        COMPARING(3);

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }
    }

    /**
     * The host that a sum is of, and its message.
     *
     * @param origin what the host calls itself
     * @param mark what it has said of its sending
     */
    record Sender(long origin, Postmark mark) {}

    /**
     * A sum.
     *
     * @param sender whose
     * @param item of whom, and how much
     */
    record Entry(Sender sender, ConsumptionNews.Item item) {

        Entry withoutStates() {
            return item.states().length == 0 ? this : new Entry(sender, item.withoutStates());
        }
    }

    /** Whether a message is meant to be one, and not one to all hosts. */
    static boolean isOne(byte[] message) {
        return message.length > 0 && message[0] == FORM;
    }

    /** Whether it is one, and of hosts of a topology as far as can be seen. */
    static boolean isOf(HostGroup.Topology topology, byte[] message) {
        if (!isOne(message) || message.length <= KIND_AT) {
            return isOne(message);
        }
        boolean relayed = message[KIND_AT] == Kind.RELAYED.code();
        return relayed == (topology == HostGroup.Topology.LEADER);
    }

    /**
     * Reads a message.
     *
     * @throws IOException if it is of another version, or damaged
     */
    static PeerNews of(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        Wire.readForm(in, FORM);
        UUID from = new UUID(in.readLong(), in.readLong());
        Kind kind = kindFrom(in);
        List<Sender> senders = new ArrayList<>();
        SpecReader specs = new SpecReader(in);
        List<Entry> entries =
                Wire.readAll(in, () -> new Entry(senderFrom(in, senders), ConsumptionNews.Item.readFrom(in, specs)));
        byte[] known = Wire.readAddition(in, KNOWN_TAG);
        return new PeerNews(from, kind, entries, known == null ? null : KnownSums.of(known));
    }

    private static Kind kindFrom(DataInputStream in) throws IOException {
        int code = Wire.readCount(in);
        for (Kind kind : Kind.values()) {
            if (kind.code() == code) {
                return kind;
            }
        }
        throw new IOException("a message of another host is of a kind that is not known here: " + code);
    }

    private static Sender senderFrom(DataInputStream in, List<Sender> known) throws IOException {
        int place = Wire.readCount(in);
        if (place > known.size()) {
            throw new IOException("a message of another host is damaged: it has no sender number " + place);
        }
        if (place > 0) {
            return known.get(place - 1);
        }
        Sender sender = new Sender(in.readLong(), Postmark.readFrom(in));
        known.add(sender);
        return sender;
    }
}
