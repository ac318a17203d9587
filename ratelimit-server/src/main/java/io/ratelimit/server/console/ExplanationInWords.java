package io.ratelimit.server.console;

import io.ratelimit.core.explain.Explanation;
import io.ratelimit.core.explain.LimitExplanation;
import io.ratelimit.core.explain.RuleExplanation;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What becomes of a request, in the words in which the other pages speak of rules. Immutable. */
final class ExplanationInWords {

    /** Of rules that say nothing of a request, more would only be read by nobody. */
    private static final int MOST_OTHERS = 200;

    private static final Pattern OVERRIDE = Pattern.compile("overrides\\[(\\d+)]");
    private static final Pattern COST = Pattern.compile("costs\\[(\\d+)]");
    private static final Pattern EXEMPT = Pattern.compile("^exempt\\[\\d+] \\((.*)\\)$");
    private static final Pattern PLACE = Pattern.compile("^overrides\\[\\d+]: ");

    private final LimitWords limits = new LimitWords();
    private final DurationWords durations = new DurationWords();
    private final ClientWords clients = new ClientWords();
    private final Explanation explanation;
    private final RuleSet rules;
    private final Map<String, Rule> byName = new HashMap<>();

    ExplanationInWords(Explanation explanation, RuleSet rules) {
        this.explanation = explanation;
        this.rules = rules;
        rules.rules().forEach(rule -> byName.put(rule.name(), rule));
    }

    /**
     * A rule that matches, but finds nothing in the request to tell the client by.
     *
     * @param rule its name
     * @param clients for whom it counts
     */
    record Unjudged(String rule, String clients) {}

    String request() {
        return explanation.request();
    }

    boolean passes() {
        return explanation.allowed();
    }

    /** Whether it is known for certain that the request passes. */
    boolean passesSurely() {
        return passes() && unjudgedCount() == 0;
    }

    /** Such as {@code within all limits}. */
    String outcome() {
        return refusing()
                .map(limit -> explanation.outcome().replace(limit.asRefusal(), refusal(limit)))
                .orElse(explanation.outcome());
    }

    private Optional<LimitExplanation> refusing() {
        return explanation.rules().stream()
                .flatMap(rule -> rule.limits().stream())
                .filter(limit -> !limit.admits() && explanation.outcome().startsWith(limit.asRefusal()))
                .findFirst();
    }

    private String refusal(LimitExplanation limit) {
        String rule = explanation.rules().stream()
                .filter(candidate -> candidate.limits().contains(limit))
                .map(RuleExplanation::rule)
                .findFirst()
                .orElse(limit.policy());
        return "refused by " + rule + ", which allows " + limit(limit) + ": " + advice(limit);
    }

    private String advice(LimitExplanation limit) {
        Duration wait = limit.retryAfter();
        if (wait != null) {
            return "wait " + durations.wait(wait);
        }
        return limit.mayBeFreed() ? "wait until requests under way have ended" : "no waiting helps";
    }

    /** Why no rule is asked; null where rules are. */
    @Nullable
    String exempt() {
        String exempt = explanation.exempt();
        return exempt == null ? null : EXEMPT.matcher(exempt).replaceFirst("$1");
    }

    /** The first rules that match, but could not be judged. */
    List<Unjudged> unjudged() {
        return keyless()
                .limit(MOST_OTHERS)
                .map(rule -> new Unjudged(rule.rule(), clients(rule)))
                .toList();
    }

    long unjudgedCount() {
        return keyless().count();
    }

    private Stream<RuleExplanation> keyless() {
        return explanation.rules().stream().filter(RuleExplanation::lacksKey);
    }

    private String clients(RuleExplanation explained) {
        Rule rule = byName.get(explained.rule());
        Key key = rule == null ? null : rule.key();
        boolean isOwn = key instanceof Key.Composite || key instanceof Key.FirstPresent;
        return key != null && isOwn ? clients.of(key) : clients.inOrder(rules.clients());
    }

    List<RuleExplanation> applying() {
        return explanation.rules().stream().filter(RuleExplanation::applies).toList();
    }

    /** How many rules do not match, or set no limit. */
    long otherCount() {
        return explanation.rules().stream().filter(ExplanationInWords::isOther).count();
    }

    /** The first of them. */
    List<RuleExplanation> others() {
        return explanation.rules().stream()
                .filter(ExplanationInWords::isOther)
                .limit(MOST_OTHERS)
                .toList();
    }

    private static boolean isOther(RuleExplanation rule) {
        return !rule.applies() && !rule.lacksKey();
    }

    /** Why a rule applies or does not. */
    String reason(RuleExplanation rule) {
        return numbered(OVERRIDE, "its exception ", rule.reason());
    }

    /** What the request costs under a rule, and what says so. */
    String cost(RuleExplanation rule) {
        return numbered(COST, "by the costs, entry ", String.valueOf(rule.cost()));
    }

    /** Places in the document begin at 0, those of people at 1. */
    private static String numbered(Pattern place, String words, String text) {
        return place.matcher(text).replaceAll(found -> words + (Integer.parseInt(found.group(1)) + 1));
    }

    /** For each exception that was looked at whether it was chosen and why; they are numbered from 1. */
    List<String> exceptions(RuleExplanation rule) {
        return rule.overrides().stream()
                .map(text -> PLACE.matcher(text).replaceFirst(""))
                .toList();
    }

    /** What else is to be said of a rule; null where there is nothing. */
    @Nullable
    String note(RuleExplanation rule) {
        String note = rule.note();
        for (LimitExplanation limit : rule.limits()) {
            String policy = " more than " + limit.policy() + " ever holds";
            note = note == null ? null : note.replace(policy, " more than “" + limit(limit) + "” ever allows");
        }
        return note;
    }

    /** Such as {@code 20 per second, 40 at once}. */
    String limit(LimitExplanation limit) {
        return limits.of(limit.limit());
    }

    /** Such as {@code enough}. */
    String standing(LimitExplanation limit) {
        return limit.admits() ? "enough" : "too little: " + advice(limit);
    }
}
