package io.ratelimit.core;

import io.ratelimit.RateLimitListener;
import io.ratelimit.TimeSource;
import io.ratelimit.core.match.RulesCache;
import io.ratelimit.core.report.DecisionCounts;
import io.ratelimit.core.report.HostReports;
import io.ratelimit.core.report.ReportDetail;
import io.ratelimit.core.report.RequestRecorder;
import io.ratelimit.core.retrieve.ReportReceiver;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What an engine needs to report, which is nothing where there is nobody who could want reports. */
final class Reporting {

    private final @Nullable ReportReceiver receiver;
    private final ReportDetail detail;
    private final @Nullable String clusterSecret;
    private final TimeSource time;
    private final DecisionCounts counts;

    /**
     * Begins.
     *
     * @param receiver who takes reports, or null where nobody does
     * @param detail how much is told
     * @param clusterSecret what all hosts of the service are configured with, or null
     * @param time tells when requests come
     */
    Reporting(@Nullable ReportReceiver receiver, ReportDetail detail, @Nullable String clusterSecret, TimeSource time) {
        this.receiver = detail == ReportDetail.NOTHING ? null : receiver;
        this.detail = detail;
        this.clusterSecret = clusterSecret;
        this.time = time;
        this.counts = new DecisionCounts(detail);
    }

    /** Who must hear of decisions. */
    List<RateLimitListener> listeners() {
        return receiver == null ? List.of() : List.of(counts);
    }

    /** Whether somebody wants reports now. */
    boolean isWanted() {
        return counts.isWanted();
    }

    @Nullable
    RequestRecorder recorder(RulesCache rules) {
        return receiver == null || detail != ReportDetail.ALL
                ? null
                : new RequestRecorder(rules::current, clusterSecret, time);
    }

    @Nullable
    HostReports reports(RetrieveRulesTask retrieval, RulesCache rules, @Nullable RequestRecorder recorder) {
        if (receiver == null) {
            return null;
        }
        HostReports reports = new HostReports(
                receiver, retrieval, rules::current, counts, recorder, clusterSecret, time, new SplittableRandom());
        retrieval.onChange(reports::wake);
        return reports;
    }
}
