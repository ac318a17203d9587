package io.ratelimit.server.traffic.replay;

import io.ratelimit.rules.RuleSet;
import io.ratelimit.server.traffic.RecordedRequest;
import io.ratelimit.server.traffic.SampledRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** One replay of a recording. For one use by one thread. */
final class ReplayRun {

    private final List<SampledRequest> recording;
    private final Timeline timeline;
    private final ClientNames names;
    private final Answers answers;
    private final ReplayedRules draft;
    private final ReplayedRules inForce;
    private final RulesTally draftTally;
    private final RulesTally inForceTally;
    private final Estimator requests = new Estimator();
    private final Estimator reallyRefused = new Estimator();
    private final Map<String, Estimator> reallyRefusedByRule = new HashMap<>();
    private final ChangedClients newlyRefused = new ChangedClients();
    private final ChangedClients newlyPassed = new ChangedClients();
    private final WarmUpTally warmUp;
    private final ReplayNotes notes;
    private final SincePublishedTally sincePublished;
    private int lookedAt;

    /**
     * Makes everything ready.
     *
     * @throws IllegalArgumentException if a limit is beyond exact arithmetic
     */
    ReplayRun(RuleSet draft, RuleSet inForce, Instant published, List<SampledRequest> recording) {
        this.recording = recording;
        long begin = recording.isEmpty() ? 0 : at(0);
        long end = recording.isEmpty() ? 0 : at(recording.size() - 1);
        double leastShare =
                recording.stream().mapToDouble(SampledRequest::share).min().orElse(1);
        Sampling sampling = new Sampling(inForce.clients(), leastShare);
        this.timeline = new Timeline(begin);
        this.names = new ClientNames(inForce.clients());
        this.answers = new Answers(names, recording);
        this.draft = new ReplayedRules(draft, sampling, timeline);
        this.inForce = new ReplayedRules(inForce, sampling, timeline);
        this.draftTally = new RulesTally(this.draft.bases());
        this.inForceTally = new RulesTally(this.inForce.bases());
        this.warmUp = new WarmUpTally(List.of(draft, inForce), begin, end);
        this.sincePublished = new SincePublishedTally(published.toEpochMilli());
        this.notes = new ReplayNotes(leastShare);
    }

    private long at(int place) {
        return recording.get(place).request().at();
    }

    ReplayResult run(BooleanSupplier isOver) {
        while (lookedAt < recording.size() && !isOver.getAsBoolean()) {
            SampledRequest next = recording.get(lookedAt);
            replay(next.request(), next.share());
            lookedAt++;
        }
        return result();
    }

    private void replay(RecordedRequest request, double share) {
        timeline.moveTo(request.at());
        String client = names.of(request);
        Answer answer = answers.to(client, request);
        Verdict byDraft = draft.decide(request, share, answer);
        Verdict byInForce = inForce.decide(request, share, answer);
        requests.count(client, share);
        draftTally.count(byDraft, client, share);
        inForceTally.count(byInForce, client, share);
        sincePublished.count(request, byInForce, client, share);
        if (byDraft.isRefused() != byInForce.isRefused()) {
            (byDraft.isRefused() ? newlyRefused : newlyPassed).count(client, share);
        }
        if (request.refused()) {
            reallyRefused.count(client, share);
            warmUp.countRefused(request.at(), !byInForce.isRefused(), client, share);
            namesOf(byDraft, byInForce)
                    .forEach(rule -> reallyRefusedByRule
                            .computeIfAbsent(rule, name -> new Estimator())
                            .count(client, share));
            notes.countRefused(byDraft);
        }
    }

    private static Set<String> namesOf(Verdict one, Verdict other) {
        Set<String> rules = new LinkedHashSet<>();
        one.rules().forEach(rule -> rules.add(rule.rule()));
        other.rules().forEach(rule -> rules.add(rule.rule()));
        return rules;
    }

    private ReplayResult result() {
        Set<String> rules = new LinkedHashSet<>(draft.bases().keySet());
        rules.addAll(inForce.bases().keySet());
        WarmUp warm = warmUp.warmUp();
        return new ReplayResult(
                lookedAt == 0 ? null : Instant.ofEpochMilli(at(0)),
                lookedAt == 0 ? null : Instant.ofEpochMilli(at(lookedAt - 1)),
                recording.size(),
                lookedAt,
                requests.estimate(),
                reallyRefused.estimate(),
                sincePublished.sincePublished(),
                draftTally.figures(),
                inForceTally.figures(),
                rules.stream().map(this::ofRule).toList(),
                newlyRefused.most(),
                newlyPassed.most(),
                warm,
                notes.sentences(recording.size(), lookedAt, List.of(draft, inForce), warm));
    }

    private RuleReplay ofRule(String rule) {
        return new RuleReplay(
                rule,
                draftTally.figuresOf(rule),
                inForceTally.figuresOf(rule),
                reallyRefusedByRule.getOrDefault(rule, new Estimator()).estimate());
    }
}
