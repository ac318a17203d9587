package io.ratelimit.core.report;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Rule;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the requests of a share of the clients until they are told, while somebody wants to know. A client is in or out as a
 * whole, by a hash that all hosts of the service compute alike. The share halves whenever there are too many requests, and
 * grows slowly back. Thread-safe; throws nothing.
 */
public final class RequestRecorder {

    /** Of a report. */
    static final int MOST_REQUESTS = 500;

    /** Requests that are not answered by then are told without their answer. */
    static final long LONGEST_WAIT_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final double GROWTH = 1.25;

    private final Supplier<CompiledRules> rules;
    private final ClientHash hash;
    private final TimeSource time;
    private final ConcurrentMap<Decision, RecordedRequest> byDecision = new ConcurrentHashMap<>();

    /** Under the monitor, as are all changes of the share. */
    private List<RecordedRequest> kept = new ArrayList<>();

    private volatile double share = 1;
    private volatile boolean wanted;
    private volatile @Nullable LookedAt lookedAt;

    /**
     * Begins with nothing recorded and nobody who wants to know.
     *
     * @param rules the rules in force
     * @param clusterSecret what all hosts of the service are configured with, or null
     * @param time tells when requests come, and how long they take
     */
    public RequestRecorder(Supplier<CompiledRules> rules, @Nullable String clusterSecret, TimeSource time) {
        this(rules, new ClientHash(clusterSecret), time);
    }

    RequestRecorder(Supplier<CompiledRules> rules, ClientHash hash, TimeSource time) {
        this.rules = rules;
        this.hash = hash;
        this.time = time;
    }

    /** Says whether requests are to be recorded; those that were and are not told yet are forgotten. */
    synchronized void want(boolean now) {
        wanted = now;
        kept = new ArrayList<>();
        byDecision.clear();
    }

    /**
     * Copies what is to be told of a request, on the thread that it belongs to.
     *
     * @param context the request
     * @param decision what was decided, or null where that is not known yet
     * @return the copy, or null where the request is not recorded
     */
    public @Nullable RecordedRequest look(RequestContext context, @Nullable Decision decision) {
        if (!wanted) {
            return null;
        }
        try {
            LookedAt looked = lookedAt();
            RequestContext request = looked.prepare(context);
            ClientIdentifier client = chargedClient(decision);
            double place = placeOf(client == null ? looked.clientOf(request) : client);
            return place < share
                    ? new RecordedRequest(looked.copy(request, time.currentTimeMillis()), place, time.nanoTime())
                    : null;
        } catch (Throwable e) {
            // What a request throws at, or an attribute of the application, is no reason to do more than to leave it
            // out.
            return null;
        }
    }

    /** Spares the request a second question, and the application's verifiers a second answer. */
    private static @Nullable ClientIdentifier chargedClient(@Nullable Decision decision) {
        Rule rule = decision == null ? null : decision.decidingRule();
        return decision != null && rule != null && rule.key() instanceof Key.Client ? decision.clientOf(rule) : null;
    }

    /** All requests without a client are one. */
    private double placeOf(@Nullable ClientIdentifier client) {
        return hash.placeOf(client == null ? ClientIdentifier.SERVICE : client);
    }

    /** Reads the rules anew when there are others. */
    private LookedAt lookedAt() {
        CompiledRules current = rules.get();
        LookedAt known = lookedAt;
        if (known == null || !known.isOf(current)) {
            known = new LookedAt(current, hash);
            lookedAt = known;
        }
        return known;
    }

    /**
     * Keeps a request that was decided.
     *
     * @param request the request
     * @param decision its own decision, by which {@link #forget} and {@link #answered} find it
     */
    public void record(RecordedRequest request, Decision decision) {
        request.decided(decision.allowed(), decision.mustBeSettled());
        synchronized (this) {
            if (!wanted || request.place() >= share) {
                return;
            }
            kept.add(request);
            byDecision.put(decision, request);
            while (kept.size() > MOST_REQUESTS) {
                shrinkTo(share / 2);
            }
        }
    }

    /**
     * Forgets a request that another decision stands for from now on.
     *
     * @param decision the decision so far
     */
    public void forget(Decision decision) {
        RecordedRequest request = byDecision.remove(decision);
        if (request != null) {
            synchronized (this) {
                kept.remove(request);
            }
        }
    }

    /**
     * Takes note of how a request was answered, if it is still kept.
     *
     * @param decision its decision
     * @param status the response's HTTP status
     */
    public void answered(Decision decision, int status) {
        RecordedRequest request = byDecision.get(decision);
        if (request != null) {
            request.answered(status, time.nanoTime());
        }
    }

    /** Leaves out the clients that are not of a smaller share. */
    synchronized void shrinkTo(double smaller) {
        share = Math.min(share, smaller);
        kept.removeIf(request -> request.place() >= share);
        byDecision.values().removeIf(request -> request.place() >= share);
    }

    /** The requests since the last call, but those whose answer is awaited. */
    synchronized Recording next() {
        long now = time.nanoTime();
        List<RecordedRequest> told = new ArrayList<>();
        List<RecordedRequest> underWay = new ArrayList<>();
        for (RecordedRequest request : kept) {
            (request.isUnderWay(now, LONGEST_WAIT_NANOS) ? underWay : told).add(request);
        }
        Set<RecordedRequest> gone = new HashSet<>(told);
        byDecision.values().removeIf(gone::contains);
        Recording recording = new Recording(share, List.copyOf(told));
        if (kept.size() < MOST_REQUESTS / 2) {
            share = Math.min(1, share * GROWTH);
        }
        kept = underWay;
        return recording;
    }
}
