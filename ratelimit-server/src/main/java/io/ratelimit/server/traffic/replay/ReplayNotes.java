package io.ratelimit.server.traffic.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Says what is to be known to judge the figures of a replay. For one use. */
final class ReplayNotes {

    private final double leastShare;
    private int guessed;

    ReplayNotes(double leastShare) {
        this.leastShare = leastShare;
    }

    /** Takes note of a request that the application never saw, so that nobody knows what it would have made of it. */
    void countRefused(Verdict byDraft) {
        if (!byDraft.isRefused()) {
            guessed++;
        }
    }

    List<String> sentences(int recorded, int lookedAt, List<ReplayedRules> sets, WarmUp warmUp) {
        List<String> notes = new ArrayList<>();
        if (lookedAt < recorded) {
            notes.add("The time was over after " + lookedAt + " of " + recorded
                    + " requests: the figures are those of the first ones.");
        }
        if (leastShare < 1) {
            notes.add(String.format(
                    Locale.ROOT,
                    "The requests of %.3g %% of the clients were recorded: the counts are scaled up to all, each with its"
                            + " relative standard error.",
                    100 * leastShare));
        }
        addRules(notes, sets, Basis.WEIGHTED, "were charged for each recorded request as for all that it stands for");
        addRules(
                notes,
                sets,
                Basis.PARTIAL,
                "have buckets that recorded clients share with others: they would refuse more than is told");
        addRules(notes, sets, Basis.NONE, "cannot be judged by a share of the clients, and are left out");
        if (!warmUp.length().isZero()) {
            notes.add("The replay begins with full buckets, so that more may pass than did in its first "
                    + length(warmUp.length()) + ": there, hosts refused "
                    + requests(warmUp.reallyRefused().count()) + ", of which the rules in force let "
                    + warmUp.passed().count() + " pass here.");
        }
        if (guessed > 0) {
            notes.add("The draft lets " + guessed + " of the recorded requests pass that hosts refused: the application"
                    + " is taken to answer them as the same client's last request for the same path.");
        }
        int degraded = sets.stream().mapToInt(ReplayedRules::degraded).sum();
        if (degraded > 0) {
            notes.add("There was no room for the buckets of all clients: " + degraded + " times one passed unlimited.");
        }
        return notes;
    }

    /** Rounded up to whole seconds. */
    private static String length(Duration length) {
        long seconds = length.plusSeconds(1).minusNanos(1).toSeconds();
        String minutes = seconds < 60 ? "" : counted(seconds / 60, "minute");
        String rest = seconds % 60 == 0 ? "" : counted(seconds % 60, "second");
        return (minutes + " " + rest).strip();
    }

    private static String requests(long count) {
        return count == 0 ? "none" : counted(count, "request");
    }

    private static String counted(long count, String one) {
        return count + " " + one + (count == 1 ? "" : "s");
    }

    private static void addRules(List<String> notes, List<ReplayedRules> sets, Basis basis, String consequence) {
        TreeSet<String> rules = sets.stream()
                .flatMap(set -> set.bases().entrySet().stream())
                .filter(rule -> rule.getValue() == basis)
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
        if (!rules.isEmpty()) {
            notes.add("These rules " + consequence + ": " + String.join(", ", rules) + ".");
        }
    }
}
