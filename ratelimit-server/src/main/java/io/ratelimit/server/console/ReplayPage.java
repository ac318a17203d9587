package io.ratelimit.server.console;

import io.ratelimit.server.document.Finding;
import io.ratelimit.server.rules.RulesVersion;
import io.ratelimit.server.traffic.replay.Estimate;
import io.ratelimit.server.traffic.replay.ReplayResult;
import io.ratelimit.server.traffic.replay.SincePublished;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a draft would have done to the requests of the last minutes.
 *
 * @param visit whose page it is
 * @param inForce the version in force
 * @param draft the draft, or null where the rules in force are replayed alone
 * @param findings what is wrong with the draft
 * @param result what became of the requests, or null where the draft is wrong
 */
record ReplayPage(
        Visit visit,
        RulesVersion inForce,
        @Nullable Proposal draft,
        List<Finding> findings,
        @Nullable ReplayResult result)
        implements Page {

    /** Of rules that change nothing, more would only be read by nobody. */
    private static final int MOST_ROWS = 200;

    @Override
    public String template() {
        return "replay.jte";
    }

    boolean isDraft() {
        return draft != null;
    }

    boolean isEmpty() {
        return result != null && result.from() == null;
    }

    /** Whether single clients' requests stand for those of others, too. */
    boolean isEstimated() {
        return result != null && result.requests().relativeError() > 0;
    }

    /** What hosts really refused, and how far that can be compared with what the rules in force refuse here. */
    String reality(ReplayResult replayed) {
        String all = "The hosts really refused " + Counted.estimate(replayed.reallyRefused());
        SincePublished since = replayed.sincePublished();
        long earlier = replayed.requests().count() - since.requests().count();
        String version = "version " + inForce.number();
        if (earlier == 0) {
            return all + ".";
        }
        if (since.requests().count() == 0) {
            return all + ", under older rules: all these requests were decided before " + version
                    + " was published. So the two cannot be compared yet.";
        }
        return all + ", but decided " + Counted.number(earlier) + " of these requests before " + version
                + " was published, under older rules. Of the "
                + Counted.number(since.requests().count())
                + " since then, they refused " + Counted.estimate(since.reallyRefused()) + ", and " + version
                + " refuses " + Counted.estimate(since.refused()) + " here.";
    }

    /** Whether hosts have decided any of the requests by the rules in force. */
    boolean isComparable(ReplayResult replayed) {
        return replayed.sincePublished().requests().count() > 0;
    }

    /** The whole in one sentence. */
    String headline(ReplayResult replayed) {
        Estimate requests = replayed.requests();
        Estimate refused = replayed.draft().refused();
        return "Of " + (isEstimated() ? "about " : "") + Counted.of(requests.count(), "request") + " of the last "
                + length(replayed) + ", " + (isDraft() ? "this draft would refuse " : "the rules in force refuse ")
                + Counted.number(refused.count()) + " (" + Counted.percent(refused.count(), requests.count()) + ")"
                + (isDraft()
                        ? ": "
                                + comparison(refused.count()
                                        - replayed.inForce().refused().count())
                        : "") + ".";
    }

    private static String comparison(long more) {
        if (more == 0) {
            return "as many as the rules in force";
        }
        return Counted.number(Math.abs(more)) + (more > 0 ? " more" : " fewer") + " than the rules in force";
    }

    private static String length(ReplayResult replayed) {
        Instant from = replayed.from();
        Instant to = replayed.to();
        if (from == null || to == null) {
            return "minutes";
        }
        Duration length = Duration.between(from, to);
        return length.toMinutes() < 2
                ? Counted.of(Math.max(1, length.toSeconds()), "second")
                : Counted.of(length.plusSeconds(30).toMinutes(), "minute");
    }

    /** Rule by rule, the first ones. */
    List<ReplayRow> rows(ReplayResult replayed) {
        return busy(replayed).limit(MOST_ROWS).toList();
    }

    /** How many rules apply to requests, but are not shown. */
    long rowsLeftOut(ReplayResult replayed) {
        return Math.max(0, busy(replayed).count() - MOST_ROWS);
    }

    /** How many rules apply to none of the requests. */
    long idle(ReplayResult replayed) {
        return replayed.rules().size() - busy(replayed).count();
    }

    private static Stream<ReplayRow> busy(ReplayResult replayed) {
        return replayed.rules().stream().filter(ReplayRow::isBusy).map(ReplayRow::of);
    }
}
