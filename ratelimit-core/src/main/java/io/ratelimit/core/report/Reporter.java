package io.ratelimit.core.report;

import io.ratelimit.TimeSource;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.retrieve.ReportReceiver;
import io.ratelimit.core.retrieve.RetrieveRulesTask;
import io.ratelimit.rules.Rule;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes reports and sends them, one at each call. What cannot be sent is dropped, and nothing is counted or recorded while
 * the service does not want to hear of it. Used by one thread.
 */
final class Reporter {

    /** The most bytes that a service takes. */
    static final int MOST_BYTES = 1 << 20;

    /** A service that refuses reports is left alone for so long. */
    private static final long REFUSED_NANOS = TimeUnit.MINUTES.toNanos(5);

    private static final Set<Integer> REFUSALS = Set.of(401, 403, 404, 410);

    private static final Logger LOG = LoggerFactory.getLogger(Reporter.class);

    private final ReportReceiver receiver;
    private final RetrieveRulesTask retrieval;
    private final Supplier<CompiledRules> rules;
    private final DecisionCounts counts;
    private final @Nullable RequestRecorder recorder;
    private final ClientNames names;
    private final TimeSource time;

    private @Nullable String link;
    private boolean wanted;
    private long fromMillis;
    private boolean refused;
    private long refusedUntil;
    private boolean failing;

    Reporter(
            ReportReceiver receiver,
            RetrieveRulesTask retrieval,
            Supplier<CompiledRules> rules,
            DecisionCounts counts,
            @Nullable RequestRecorder recorder,
            ClientNames names,
            TimeSource time) {
        this.receiver = receiver;
        this.retrieval = retrieval;
        this.rules = rules;
        this.counts = counts;
        this.recorder = recorder;
        this.names = names;
        this.time = time;
    }

    /** Counts and records from now on, if the service wants to hear of it. */
    void listen() {
        follow(receiver.location());
        refused = refused && time.nanoTime() - refusedUntil < 0;
        want(link != null && !refused);
    }

    /** Reports, if the service wants to hear of it. */
    void report() throws InterruptedException {
        listen();
        if (wanted) {
            try {
                send(made());
            } catch (IOException | RuntimeException e) {
                failed(String.valueOf(e.getMessage()));
            }
        }
    }

    private void follow(@Nullable String named) {
        if (!Objects.equals(named, link)) {
            link = named;
            refused = false;
            failing = false;
            if (named != null) {
                LOG.info("What rules decide is reported to {}{}", named, recorder == null ? "" : ", requests included");
            }
        }
    }

    private void want(boolean now) {
        if (now != wanted) {
            wanted = now;
            fromMillis = time.currentTimeMillis();
            counts.want(now);
            if (recorder != null) {
                recorder.want(now);
            }
        }
    }

    private byte[] made() {
        long now = Math.max(fromMillis, time.currentTimeMillis());
        CompiledRules current = rules.get();
        Set<String> inForce = current.rules().map(Rule::name).collect(Collectors.toSet());
        HostReport report = new HostReport(
                receiver.host().toString(),
                retrieval.tagInForce(),
                retrieval.status(),
                fromMillis,
                now,
                counts.nextByRule(inForce::contains),
                refusedClients(current.ruleSet().service()),
                recorder == null ? Recording.NONE : recorder.next());
        fromMillis = now;
        byte[] json = report.toJson();
        while (json.length > MOST_BYTES && recorder != null) {
            report = report.with(report.recording().halved());
            recorder.shrinkTo(report.recording().share());
            json = report.toJson();
        }
        return json;
    }

    private Map<HostReport.RefusedName, Long> refusedClients(String service) {
        Map<HostReport.RefusedName, Long> named = new LinkedHashMap<>();
        counts.nextRefusedClients()
                .forEach((refusal, times) -> named.merge(
                        new HostReport.RefusedName(refusal.rule(), names.of(service, refusal.client())),
                        times,
                        Long::sum));
        return named;
    }

    private void send(byte[] json) throws IOException, InterruptedException {
        int status = receiver.send(json);
        if (status / 100 == 2) {
            sent();
        } else if (REFUSALS.contains(status)) {
            refused(status);
        } else {
            failed("it answers status " + status);
        }
    }

    private void sent() {
        if (failing) {
            LOG.info("Reports are sent again to {}", link);
        }
        failing = false;
    }

    private void failed(String reason) {
        if (failing) {
            LOG.debug("Reports can still not be sent to {}: {}", link, reason);
        } else {
            LOG.warn("Reports cannot be sent to {} and are dropped, trying on: {}", link, reason);
        }
        failing = true;
    }

    private void refused(int status) {
        if (failing) {
            LOG.debug("Reports are still refused by {}: status {}", link, status);
        } else {
            LOG.warn("Reports are refused by {}, trying again every 5 minutes: it answers status {}", link, status);
        }
        failing = true;
        refused = true;
        refusedUntil = time.nanoTime() + REFUSED_NANOS;
        want(false);
    }
}
