package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which hosts of a service run which rules, by their polls and reports. A host that is not heard of is silent after
 * {@link #SILENT} and forgotten after {@link #FORGOTTEN}. Where there are {@link #MOST_HOSTS}, or no memory, a newcomer
 * takes the place of a silent one, and is not kept where there is none. Thread-safe.
 */
public final class Fleet {

    /** After so long without a word a host is silent. */
    public static final Duration SILENT = Duration.ofSeconds(30);

    /** After so long without a word a host is forgotten. */
    public static final Duration FORGOTTEN = Duration.ofMinutes(15);

    /** The most hosts that are kept. */
    public static final int MOST_HOSTS = 10_000;

    /** What a host takes at most, with its name, its tag and what is wrong there. */
    private static final long HOST_BYTES = 3_000;

    private final TimeSource timeSource;
    private final SharedMemory memory;

    /** The one that was heard of longest ago comes first. Under the monitor. */
    private final LinkedHashMap<String, Heard> hosts = new LinkedHashMap<>();

    private boolean isClosed;

    private record Heard(
            @Nullable String tag,
            @Nullable Long since,
            HostReport.@Nullable Origin origin,
            @Nullable String error,
            boolean polledSince,
            long nanos) {

        /** A host that reaches this service and has what it would get there is in no trouble, whatever it reported. */
        @Nullable
        String errorUnder(String wanted) {
            return polledSince && wanted.equals(tag) ? null : error;
        }
    }

    /**
     * Begins without hosts.
     *
     * @param timeSource tells how long hosts are silent
     * @param memory where memory for each host comes from
     */
    Fleet(TimeSource timeSource, SharedMemory memory) {
        this.timeSource = timeSource;
        this.memory = memory;
    }

    /**
     * A host has asked for the rules. What it has reported before stays true as long as its tag does, but for an error: that
     * is over where the host has the rules that it asks for.
     *
     * @param host its name and instance
     * @param tag the tag of the rules in force there, or null
     * @throws IllegalArgumentException if the name or the tag cannot be one
     */
    public synchronized void polled(String host, @Nullable String tag) {
        HostReport.checkHost(host);
        Checks.length("tag", tag, HostReport.LONGEST_NAME);
        Heard before = hosts.get(host);
        long now = timeSource.nanoTime();
        if (before != null && Objects.equals(before.tag, tag)) {
            put(host, new Heard(tag, before.since, before.origin, before.error, true, now));
        } else {
            put(host, new Heard(tag, tag == null ? null : timeSource.currentTimeMillis(), null, null, true, now));
        }
    }

    /**
     * A host has reported.
     *
     * @param report its report, in the time of this service
     */
    public synchronized void reported(HostReport report) {
        put(
                report.host(),
                new Heard(report.tag(), report.since(), report.origin(), report.error(), false, timeSource.nanoTime()));
    }

    private void put(String host, Heard heard) {
        forget(FORGOTTEN);
        if (hosts.remove(host) != null || hasPlace()) {
            hosts.put(host, heard);
        }
    }

    private boolean hasPlace() {
        boolean isRoom = !isClosed && hosts.size() < MOST_HOSTS && memory.take(HOST_BYTES);
        return isRoom || forgetOne();
    }

    /** Its memory is the newcomer's. */
    private boolean forgetOne() {
        Iterator<Heard> oldest = hosts.values().iterator();
        boolean silent = oldest.hasNext() && isOlder(oldest.next(), SILENT);
        if (silent) {
            oldest.remove();
        }
        return silent;
    }

    synchronized void forgetOld() {
        forget(FORGOTTEN);
    }

    private void forget(Duration age) {
        Iterator<Heard> oldest = hosts.values().iterator();
        while (oldest.hasNext() && isOlder(oldest.next(), age)) {
            oldest.remove();
            memory.giveBack(HOST_BYTES);
        }
    }

    synchronized boolean isEmpty() {
        return hosts.isEmpty();
    }

    synchronized void close() {
        isClosed = true;
        forget(Duration.ZERO);
    }

    private boolean isOlder(Heard heard, Duration age) {
        return timeSource.nanoTime() - heard.nanos >= age.toNanos();
    }

    /**
     * How far rules have come.
     *
     * @param tag the tag of the rules
     * @return the hosts with what they run
     */
    public synchronized Rollout rollout(String tag) {
        forget(FORGOTTEN);
        List<FleetHost> seen = hosts.entrySet().stream()
                .map(host -> seen(host.getKey(), host.getValue(), tag))
                .sorted(Comparator.comparing(FleetHost::name))
                .toList();
        return new Rollout(tag, seen);
    }

    private FleetHost seen(String name, Heard heard, String tag) {
        FleetHost.State state = isOlder(heard, SILENT)
                ? FleetHost.State.SILENT
                : tag.equals(heard.tag) ? FleetHost.State.CURRENT : FleetHost.State.OTHER;
        Duration ago = Duration.ofNanos(timeSource.nanoTime() - heard.nanos);
        Instant lastSeen = Instant.ofEpochMilli(timeSource.currentTimeMillis()).minus(ago);
        Long since = heard.since;
        return new FleetHost(
                name,
                state,
                heard.tag,
                since == null ? null : Instant.ofEpochMilli(since),
                heard.origin,
                heard.errorUnder(tag),
                lastSeen);
    }
}
