package io.ratelimit.server.traffic;

import io.ratelimit.TimeSource;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What the rules of a service have decided lately, as its hosts report it, and which clients were refused most. A rule that
 * finds no place among {@link #MOST_RULES}, or no memory, counts under {@link #OTHER_RULES}. Thread-safe.
 */
public final class Activity {

    /** The most rules that have series of their own. */
    public static final int MOST_RULES = 2_000;

    /** The name under which further rules count; no rule can have it. */
    public static final String OTHER_RULES = "(other)";

    /** The name under which hosts count requests that no limit was asked for; no rule can have it. */
    public static final String NO_RULE = "(none)";

    /** The name under which {@link #total} tells of all rules; no rule can have it. */
    public static final String ALL_RULES = "(all)";

    /** Those have a place however many rules there are. */
    private static final Set<String> RESERVED = Set.of(OTHER_RULES, NO_RULE);

    /** Of so many rules the refused clients are kept apart. */
    private static final int MOST_RULES_WITH_CLIENTS = 200;

    private static final int LONGEST_CLIENT = 300;

    /** Hosts report every few seconds. */
    private static final Duration LATEST_REPORT = Duration.ofSeconds(30);

    /** What the counts of a rule take. */
    private static final long RULE_BYTES = 13_500;

    /** What the refused clients of a rule take at most, where their names are long. */
    private static final long CLIENTS_BYTES = 400_000;

    /** So often are rules looked for that can be forgotten, where there is no place. */
    private static final long FORGETTING_MILLIS = 60_000;

    private final TimeSource timeSource;
    private final SharedMemory memory;
    private final Map<String, RuleActivity> rules = new HashMap<>();
    private final Map<String, RefusedClients> clients = new HashMap<>();
    private long nextForgetting;
    private boolean isClosed;

    /**
     * Begins without a decision.
     *
     * @param timeSource tells which slots are the last
     * @param memory where memory for each rule comes from
     */
    Activity(TimeSource timeSource, SharedMemory memory) {
        this.timeSource = timeSource;
        this.memory = memory;
    }

    /**
     * Counts what a host reports, evenly over the time that it tells of.
     *
     * @param report the report, in the time of this service
     */
    public synchronized void add(HostReport report) {
        if (isClosed) {
            return;
        }
        long now = timeSource.currentTimeMillis();
        long to = Math.min(report.to(), now);
        long from = Math.min(report.from(), to);
        for (HostReport.RuleCounts counts : report.rules()) {
            RuleActivity activity = placeOf(counts.rule(), now);
            activity.add(Outcome.ALLOWED, counts.allowed(), from, to);
            activity.add(Outcome.REFUSED, counts.refused(), from, to);
            activity.add(Outcome.SHADOW, counts.shadow(), from, to);
        }
        for (HostReport.RefusedClient refused : report.refusedClients()) {
            String client = Checks.cut(refused.client(), LONGEST_CLIENT);
            RefusedClients place = clientsPlaceOf(refused.rule(), now);
            if (place != null) {
                place.add(client, refused.refused(), to, now);
            }
        }
    }

    private RuleActivity placeOf(String rule, long now) {
        RuleActivity known = rules.get(rule);
        if (known != null) {
            return known;
        }
        if (RESERVED.contains(rule)) {
            memory.takeAnyway(RULE_BYTES);
        } else if (!hasRoom(rules, MOST_RULES, RULE_BYTES, now)) {
            return placeOf(OTHER_RULES, now);
        }
        RuleActivity added = new RuleActivity();
        rules.put(rule, added);
        return added;
    }

    /** Where the clients of a rule are counted; null where there is no memory even for those of all others together. */
    private @Nullable RefusedClients clientsPlaceOf(String rule, long now) {
        RefusedClients known = clients.get(rule);
        if (known != null) {
            return known;
        }
        boolean isForOthers = rule.equals(OTHER_RULES);
        int most = MOST_RULES_WITH_CLIENTS + (isForOthers ? 1 : 0);
        if (!hasRoom(clients, most, CLIENTS_BYTES, now)) {
            return isForOthers ? null : clientsPlaceOf(OTHER_RULES, now);
        }
        RefusedClients added = new RefusedClients();
        clients.put(rule, added);
        return added;
    }

    private boolean hasRoom(Map<String, ?> places, int most, long bytes, long now) {
        if (places.size() >= most) {
            forget(now);
        }
        return places.size() < most && memory.take(bytes);
    }

    synchronized void forgetOld() {
        forget(timeSource.currentTimeMillis());
    }

    private void forget(long now) {
        if (now >= nextForgetting) {
            nextForgetting = now + FORGETTING_MILLIS;
            long kept = Resolution.COARSE.slot().toMillis() * Resolution.COARSE.slots();
            forget(rules, activity -> activity.lastMillis() < now - kept, RULE_BYTES);
            forget(clients, refused -> refused.isEmpty(now), CLIENTS_BYTES);
        }
    }

    private <T> void forget(Map<String, T> places, Predicate<T> isOld, long bytes) {
        places.values().removeIf(place -> {
            boolean goes = isOld.test(place);
            if (goes) {
                memory.giveBack(bytes);
            }
            return goes;
        });
    }

    synchronized boolean isEmpty() {
        return rules.isEmpty() && clients.isEmpty();
    }

    synchronized void close() {
        isClosed = true;
        forget(rules, activity -> true, RULE_BYTES);
        forget(clients, refused -> true, CLIENTS_BYTES);
    }

    /**
     * The rules that have decided most in the last 15 minutes, first the busiest.
     *
     * @param most how many at most, at least 0
     * @return their names, {@link #OTHER_RULES} and {@link #NO_RULE} among them; those without a decision are left out
     */
    public synchronized List<String> busiest(int most) {
        long first = Resolution.FINE.slotOf(timeSource.currentTimeMillis()) - Resolution.FINE.slots() + 1;
        Map<String, Long> sums = new HashMap<>();
        rules.forEach((rule, activity) -> sums.put(rule, activity.sumFrom(Resolution.FINE, first)));
        return sums.entrySet().stream()
                .filter(entry -> entry.getValue() > 0)
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(Map.Entry::getKey)
                .toList();
    }

    /**
     * What some rules have decided.
     *
     * @param resolution the length of the slots
     * @param since leaves slots out that were over by then, in milliseconds since the epoch: 0 for all that are kept, or
     *     {@link ActivitySeries#next()} of the series before
     * @param names the rules; one that is not known has decided nothing
     * @return the series, those of the rules in the order of the names
     */
    public synchronized ActivitySeries series(Resolution resolution, long since, Collection<String> names) {
        return series(
                resolution,
                since,
                (first, last) -> names.stream()
                        .distinct()
                        .map(name -> series(name, resolution, first, last))
                        .toList());
    }

    /**
     * What became of all requests: each counts once, but for what shadow rules would refuse.
     *
     * @param resolution the length of the slots
     * @param since as for {@link #series}
     * @return one series, of {@link #ALL_RULES}
     */
    public synchronized ActivitySeries total(Resolution resolution, long since) {
        return series(
                resolution,
                since,
                (first, last) -> List.of(new ActivitySeries.RuleSeries(
                        ALL_RULES,
                        sums(resolution, Outcome.ALLOWED, first, last),
                        sums(resolution, Outcome.REFUSED, first, last),
                        sums(resolution, Outcome.SHADOW, first, last))));
    }

    private List<Long> sums(Resolution resolution, Outcome outcome, long first, long last) {
        return LongStream.rangeClosed(first, last)
                .map(slot -> rules.values().stream()
                        .mapToLong(activity -> activity.count(resolution, outcome, slot))
                        .sum())
                .boxed()
                .toList();
    }

    private ActivitySeries series(
            Resolution resolution, long since, BiFunction<Long, Long, List<ActivitySeries.RuleSeries>> rulesOf) {
        long now = timeSource.currentTimeMillis();
        long last = resolution.slotOf(now);
        long first = Math.max(resolution.slotOf(since), last - resolution.slots() + 1);
        List<Long> times = LongStream.rangeClosed(first, last)
                .map(resolution::startOf)
                .boxed()
                .toList();
        long next = resolution.startOf(resolution.slotOf(now - LATEST_REPORT.toMillis()));
        return new ActivitySeries(resolution, times, next, rulesOf.apply(first, last));
    }

    private ActivitySeries.RuleSeries series(String name, Resolution resolution, long first, long last) {
        @Nullable RuleActivity known = rules.get(name);
        RuleActivity activity = known == null ? new RuleActivity() : known;
        return new ActivitySeries.RuleSeries(
                name,
                activity.counts(resolution, Outcome.ALLOWED, first, last),
                activity.counts(resolution, Outcome.REFUSED, first, last),
                activity.counts(resolution, Outcome.SHADOW, first, last));
    }

    /**
     * The clients that a rule has refused most in the last 15 minutes; of the first three of these, some may be missing.
     *
     * @param rule the rule's name, or {@link #OTHER_RULES}
     * @param most how many at most, at least 0
     * @return the clients, first the one that was refused most
     */
    public synchronized List<MostRefused> mostRefused(String rule, int most) {
        RefusedClients refused = clients.get(rule);
        return refused == null ? List.of() : refused.top(most, timeSource.currentTimeMillis());
    }
}
