package io.ratelimit.core;

import io.ratelimit.LimitState;
import io.ratelimit.RequestContext;
import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.explain.LimitExplanation;
import io.ratelimit.core.explain.RuleExplanation;
import io.ratelimit.core.explain.WaitText;
import io.ratelimit.core.match.CompiledRules;
import io.ratelimit.core.match.ExplainedRequest;
import io.ratelimit.core.match.ExplainedRule;
import io.ratelimit.core.match.RuleCharge;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Charging;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.OnFailure;
import io.ratelimit.rules.StatusRange;
import io.ratelimit.store.BucketStore;
import io.ratelimit.store.Charge;
import io.ratelimit.store.ChargeOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Explains decisions without making them: buckets are looked at by charges of no token. Thread-safe. */
final class EngineExplainer {

    private static final int LONGEST_REQUEST = 200;

    /** For a store that gives no answer of its own once its time is up. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private final BucketStore buckets;

    EngineExplainer(BucketStore buckets) {
        this.buckets = buckets;
    }

    Explanation explain(CompiledRules rules, RequestContext context) {
        String request = "a request that cannot be read";
        try {
            request = Printable.escaped(Printable.shortened(context.method() + " " + context.path(), LONGEST_REQUEST));
            if (rules.areMissing()) {
                return new Explanation(request, null, List.of(), true, "passes, since no rules are in force yet");
            }
            return explain(request, rules.explain(context));
        } catch (Throwable e) {
            String outcome = "passes, since the limiter cannot decide it: "
                    + e.getClass().getName();
            return new Explanation(request, null, List.of(), true, outcome);
        }
    }

    /** What becomes of a request whose rules are found already. */
    Explanation explain(String request, ExplainedRequest explained) {
        List<RuleCharge> charges = explained.rules().stream()
                .map(ExplainedRule::charge)
                .filter(Objects::nonNull)
                .toList();
        List<ChargeOutcome> looks = look(charges);
        List<RuleExplanation> rules = new ArrayList<>();
        List<LimitExplanation> deciding = new ArrayList<>();
        int asked = 0;
        Unknowns unknowns = new Unknowns();
        for (ExplainedRule rule : explained.rules()) {
            RuleCharge charge = rule.charge();
            if (charge == null) {
                rules.add(rule.explanation());
                continue;
            }
            ChargeOutcome look = looks.isEmpty() ? null : looks.get(asked);
            asked++;
            List<LimitExplanation> limits = look == null ? List.of() : limits(charge, look.limits());
            boolean decides = charge.charge().kind().decides();
            if (decides) {
                unknowns.refusesAtOnce |= anyExceeded(limits) && !canWait(charge, limits);
                unknowns.refuses |= limits.isEmpty() && refusesUnasked(charge);
                unknowns.passes |= limits.isEmpty() && !refusesUnasked(charge);
                deciding.addAll(limits);
            } else {
                unknowns.isShadowExceeded |= anyExceeded(limits);
            }
            rules.add(rule.explanation().with(limits, decides ? note(charge, limits) : shadowNote(limits)));
        }
        return outcome(request, explained, rules, deciding, unknowns);
    }

    /** What the outcome must tell beside the limits that decide. */
    private static final class Unknowns {

        /** A limit is exceeded, and no wait helps that its rule offers. */
        private boolean refusesAtOnce;

        /** A bucket did not answer, and its rule refuses then. */
        private boolean refuses;

        /** A bucket did not answer, and its rule lets pass then. */
        private boolean passes;

        private boolean isShadowExceeded;
    }

    private static boolean refusesUnasked(RuleCharge charge) {
        return charge.charge().bucket().policy().onFailure() == OnFailure.CLOSED;
    }

    private static boolean canWait(RuleCharge charge, List<LimitExplanation> limits) {
        OnExceeded.Line line = charge.rule().rule().onExceeded().line();
        return line != null
                && limits.stream()
                        .map(LimitExplanation::retryAfter)
                        .allMatch(wait -> wait != null && wait.compareTo(line.maxWait()) <= 0);
    }

    private static boolean anyExceeded(List<LimitExplanation> limits) {
        return limits.stream().anyMatch(limit -> !limit.admits());
    }

    private static @Nullable String note(RuleCharge charge, List<LimitExplanation> limits) {
        if (!limits.isEmpty()) {
            return remark(charge, limits);
        }
        return "its buckets did not answer, and its onFailure " + (refusesUnasked(charge) ? "refuses" : "lets it pass");
    }

    /** What the limits do not show: a cost that none of them can ever pay, or that is given back. */
    private static @Nullable String remark(RuleCharge charge, List<LimitExplanation> limits) {
        long cost = charge.charge().cost();
        for (LimitExplanation limit : limits) {
            if (cost > limit.limit().capacity() && limit.limit().capacity() > 0) {
                return "the cost of " + cost + " is more than " + limit.policy() + " ever holds";
            }
        }
        if (anyExceeded(limits)) {
            return whenExceeded(charge.rule().rule().onExceeded());
        }
        return charge.rule().rule().charging() instanceof Charging.OnResponse response
                ? "given back unless the response has status " + statuses(response)
                : null;
    }

    private static @Nullable String whenExceeded(OnExceeded onExceeded) {
        OnExceeded.Line line = onExceeded.line();
        if (line != null) {
            return "in the servlet filter it waits for its turn, for " + WaitText.of(line.maxWait())
                    + " at most, if one of " + line.places() + " places is free";
        }
        return onExceeded.action() == OnExceeded.Action.DROP ? "in the servlet filter its connection is closed" : null;
    }

    private static String statuses(Charging.OnResponse response) {
        return response.statuses().stream().map(StatusRange::toString).collect(Collectors.joining(", "));
    }

    private static @Nullable String shadowNote(List<LimitExplanation> limits) {
        if (limits.isEmpty()) {
            return "its buckets did not answer, and it is a shadow rule";
        }
        return anyExceeded(limits) ? "it would refuse, but is a shadow rule" : null;
    }

    /** What each bucket holds, in order; none where the store does not answer. */
    private List<ChargeOutcome> look(List<RuleCharge> charges) {
        if (charges.isEmpty()) {
            return List.of();
        }
        List<Charge> looks = charges.stream()
                .map(RuleCharge::charge)
                .map(charge -> charge.as(Charge.Kind.LOOK))
                .toList();
        Duration timeout = ChargeLedger.timeoutOf(looks);
        try {
            return buckets.spend(looks, timeout)
                    .toCompletableFuture()
                    .get(timeout.plus(GRACE).toMillis(), TimeUnit.MILLISECONDS)
                    .charges();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException | RuntimeException e) {
            return List.of();
        }
        return List.of();
    }

    private static List<LimitExplanation> limits(RuleCharge charge, List<LimitState> states) {
        List<Limit> limits = charge.rule().bucket().limits();
        List<LimitExplanation> explained = new ArrayList<>();
        for (int i = 0; i < Math.min(limits.size(), states.size()); i++) {
            explained.add(limit(charge.rule().policies().get(i), limits.get(i), states.get(i)));
        }
        return explained;
    }

    private static LimitExplanation limit(String policy, Limit limit, LimitState state) {
        long remaining = Math.min(state.remaining(), limit.capacity());
        boolean never = state.waitNanos() == LimitState.NEVER;
        return new LimitExplanation(
                policy, limit, remaining, state.admits(), never ? null : Duration.ofNanos(state.waitNanos()));
    }

    private static Explanation outcome(
            String request,
            ExplainedRequest explained,
            List<RuleExplanation> rules,
            List<LimitExplanation> deciding,
            Unknowns unknowns) {
        if (explained.exempt() != null) {
            return new Explanation(request, explained.exempt(), rules, true, "passes, since it is exempt");
        }
        Optional<LimitExplanation> refusing = deciding.stream()
                .filter(limit -> !limit.admits())
                .max(Comparator.comparing(
                        LimitExplanation::retryAfter, Comparator.nullsLast(Comparator.<Duration>naturalOrder())));
        if (refusing.isPresent()) {
            String instead = unknowns.refusesAtOnce ? "" : "; in the servlet filter it waits instead";
            return new Explanation(request, null, rules, false, refusing.get().asRefusal() + instead);
        }
        if (unknowns.refuses) {
            return new Explanation(request, null, rules, false, "refused, since buckets did not answer");
        }
        return new Explanation(request, null, rules, true, "passes, " + whyItPasses(rules, unknowns));
    }

    private static String whyItPasses(List<RuleExplanation> rules, Unknowns unknowns) {
        if (unknowns.passes) {
            return "since buckets did not answer";
        }
        boolean lacksKey = rules.stream().anyMatch(RuleExplanation::lacksKey);
        if (unknowns.isShadowExceeded) {
            return "since only limits of shadow rules are exceeded" + (lacksKey ? ", of those that can be judged" : "");
        }
        if (rules.stream().anyMatch(RuleExplanation::applies)) {
            return "within all limits" + (lacksKey ? " that can be judged" : "");
        }
        return lacksKey ? "since the keys of the rules that match cannot be built" : "since no limit applies";
    }
}
