package io.ratelimit.core.broadcast;

import io.ratelimit.store.BucketSpec;
import io.ratelimit.store.HostGroup;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Each host tells a few others, taken at random, what it has heard lately of all, and hears what they know that it does not
 * (push and pull: A. Demers et al., "Epidemic Algorithms for Replicated Database Maintenance", PODC 1987, sections 1.3 and
 * 1.4). A sum is told as often as it takes for nearly all to hear of it, which grows with the logarithm of their number, so
 * that a host sends as much in a large group as in a small one. Some are missed by chance: every few seconds, each host
 * tells one other which sums it knows, and is told those that it has missed.
 */
final class GossipTelling implements Telling {

    private static final int LISTENERS = 2;

    /** To find as many among a few hosts; an end, where names of hosts are not as different as they should be. */
    private static final int ATTEMPTS = 64;

    /** Beyond the logarithm, so that hardly anybody is missed. */
    private static final int MORE_OFTEN = 4;

    /** In that time a host compares all that it knows, if it is not too much. */
    private static final long COMPARING_NANOS = 5_000_000_000L;

    private static final long SHORTEST_PAUSE_NANOS = 250_000_000L;

    private final long origin;
    private final ItemMaker items;
    private final OtherHosts others;
    private final HostGroup group;
    private final HeardConsumption heard;
    private final Deliveries deliveries = new Deliveries();
    private final RandomGenerator random;
    private final Rumours rumours;
    private @Nullable Postmark last;
    private long comparedNanos;
    private long pauseNanos = COMPARING_NANOS;

    /**
     * Begins to tell.
     *
     * @param origin what this host calls itself
     * @param nanos the time
     */
    GossipTelling(long origin, ItemMaker items, OtherHosts others, HostGroup group, long nanos) {
        this.origin = origin;
        this.items = items;
        this.others = others;
        this.group = group;
        this.heard = new HeardConsumption(nanos, others.mostSums());
        this.random = new SplittableRandom(origin);
        this.rumours = new Rumours(others.mostSums());
        this.comparedNanos = nanos - random.nextLong(COMPARING_NANOS);
    }

    @Override
    public synchronized void tell(List<Consumption> spent, long nanos) {
        if (!spent.isEmpty()) {
            Postmark mark = Postmark.after(last, nanos);
            last = mark;
            PeerNews.Sender self = new PeerNews.Sender(origin, mark);
            for (Consumption consumption : spent) {
                PeerNews.Entry entry = new PeerNews.Entry(self, items.of(consumption, nanos));
                rumours.learn(consumption.bucket().name(), entry, nanos);
            }
        }
        List<UUID> hosts = group.members();
        if (hosts.size() > 1) {
            tellSome(hosts);
            compare(hosts, nanos);
        }
    }

    private void tellSome(List<UUID> hosts) {
        PeerNewsWriter message = letter(PeerNews.Kind.ASKING);
        int listeners = Math.min(LISTENERS, hosts.size() - 1);
        rumours.tell(message, often(hosts.size()), listeners);
        if (!message.isEmpty()) {
            byte[] told = message.toBytes();
            someOf(hosts, listeners).forEach(host -> group.send(host, told));
        }
    }

    private PeerNewsWriter letter(PeerNews.Kind kind) {
        return new PeerNewsWriter(group.self(), kind, group.mostBytes());
    }

    /** How often a sum is told by each host. */
    private static int often(int hosts) {
        return Integer.SIZE - Integer.numberOfLeadingZeros(hosts) + MORE_OFTEN;
    }

    private void compare(List<UUID> hosts, long nanos) {
        if (nanos - comparedNanos < pauseNanos) {
            return;
        }
        KnownSums known = rumours.known(group.mostBytes(), nanos);
        comparedNanos = nanos;
        pauseNanos = Math.max(SHORTEST_PAUSE_NANOS, COMPARING_NANOS / known.parts());
        PeerNewsWriter message = letter(PeerNews.Kind.COMPARING);
        message.says(known);
        someOf(hosts, 1).forEach(host -> group.send(host, message.toBytes()));
    }

    /** Others by chance, no one twice. */
    private List<UUID> someOf(List<UUID> hosts, int count) {
        return random.ints(ATTEMPTS, 0, hosts.size())
                .mapToObj(hosts::get)
                .filter(host -> !host.equals(group.self()))
                .distinct()
                .limit(Math.min(count, hosts.size() - 1))
                .toList();
    }

    @Override
    public boolean isFor(byte[] message) {
        return PeerNews.isOf(HostGroup.Topology.GOSSIP, message);
    }

    @Override
    public synchronized void hear(byte[] message, long nanos) throws IOException {
        PeerNews news = PeerNews.of(message);
        // Before this host learns what the other knows already.
        answer(news, nanos);
        for (PeerNews.Entry entry : news.entries()) {
            if (entry.sender().origin() != origin) {
                hear(entry, nanos);
            }
        }
    }

    private void answer(PeerNews asked, long nanos) {
        KnownSums known = asked.known();
        if (asked.kind() == PeerNews.Kind.COMPARING && known != null) {
            tellMissing(asked.from(), rumours.missing(known, nanos));
        } else if (asked.kind() == PeerNews.Kind.ASKING) {
            PeerNewsWriter answer = letter(PeerNews.Kind.RUMOURS);
            rumours.tell(answer, often(group.members().size()), 1);
            if (!answer.isEmpty()) {
                group.send(asked.from(), answer.toBytes());
            }
        }
    }

    private void tellMissing(UUID host, List<PeerNews.Entry> missing) {
        PeerNewsWriter message = letter(PeerNews.Kind.RUMOURS);
        for (PeerNews.Entry entry : missing) {
            if (!message.add(entry)) {
                group.send(host, message.toBytes());
                message = letter(PeerNews.Kind.RUMOURS);
                message.add(entry);
            }
        }
        if (!message.isEmpty()) {
            group.send(host, message.toBytes());
        }
    }

    private void hear(PeerNews.Entry entry, long nanos) {
        BucketSpec bucket = others.bucketOf(entry.item().bucket());
        if (bucket == null) {
            return;
        }
        // How a bucket stands comes from its host only, lest messages be full of it. Whoever knows the sum may still
        // need it.
        boolean isNews = rumours.learn(bucket.name(), entry.withoutStates(), nanos);
        if (isNews || entry.item().states().length > 0) {
            PeerNews.Sender sender = entry.sender();
            Delivery delivery = deliveries.arrived(sender.origin(), sender.mark(), nanos);
            others.take(bucket, entry.item(), delivery, heard.hear(sender.origin(), bucket, entry.item(), delivery));
        }
    }

    @Override
    public synchronized void sweep(long nanos) {
        rumours.sweep(nanos);
        heard.sweep(nanos);
        deliveries.sweep(nanos);
    }
}
