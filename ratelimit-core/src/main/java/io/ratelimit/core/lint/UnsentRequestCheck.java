package io.ratelimit.core.lint;

import io.ratelimit.rules.Condition;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.PathPattern;
import io.ratelimit.rules.Rule;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Finds paths that no container hands to an application, methods most likely misspelt, and words that mean no more than they say. */
final class UnsentRequestCheck implements RulesCheck {

    private static final Pattern ESCAPE = Pattern.compile("%[0-9A-Fa-f]{2}");

    /** RFC 9110 section 9.3 and RFC 5789; any other token may be a method too. */
    private static final List<String> KNOWN_METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    private static final Set<String> FOR_ALL = Set.of("ALL", "ANY");

    @Override
    public void check(LintedRules rules, Findings findings) {
        for (int i = 0; i < rules.set().exempt().size(); i++) {
            check(rules.set().exempt().get(i), "exempt[" + i + "]", findings);
        }
        List<OperationCost> costs = rules.set().costs();
        for (int i = 0; i < costs.size(); i++) {
            check(costs.get(i).match(), "costs[" + i + "]", findings);
        }
        for (Rule rule : rules.inForce()) {
            check(rule.match(), LintedRules.place(rule), findings);
            for (LimitOverride override : rule.overrides()) {
                check(override.when(), LintedRules.place(rule), findings);
            }
        }
    }

    private static void check(Condition condition, String place, Findings findings) {
        for (PathPattern path : condition.paths()) {
            path.segments().stream()
                    .flatMap(segment -> problemOf(segment).stream())
                    .findFirst()
                    .ifPresent(problem ->
                            findings.warning(place, place + ": path '" + path + "' matches nothing: " + problem));
        }
        checkForAll("methods", condition.methods(), place, findings);
        checkForAll("user", condition.users(), place, findings);
        checkForAll("operation", condition.operations(), place, findings);
        for (String method : condition.methods()) {
            likelyMeant(method)
                    .ifPresent(known -> findings.note(
                            place,
                            place + ": '" + method + "' is no common method, so that it may match nothing; is '" + known
                                    + "' meant?"));
        }
    }

    /** A criterion that is left out holds for all; no word does. */
    private static void checkForAll(String criterion, Set<String> values, String place, Findings findings) {
        values.stream()
                .filter(value -> value.equals("*") || (criterion.equals("methods") && FOR_ALL.contains(value)))
                .forEach(value -> findings.warning(
                        place,
                        place + ": " + criterion + " '" + value + "' stands for no other than itself; leave "
                                + criterion + " out to match all"));
    }

    /** The parser refuses most of these; rules that are made in Java come here unseen. */
    private static Optional<String> problemOf(String segment) {
        if (segment.isEmpty() || segment.contains("/")) {
            return Optional.of("a path is matched segment by segment, and none is empty or holds a '/'");
        }
        if (segment.equals(".") || segment.equals("..")) {
            return Optional.of("'" + segment + "' never stands in a path that reaches the application");
        }
        if (ESCAPE.matcher(segment).find()) {
            return Optional.of("a path is matched decoded; write '" + segment + "' without escapes");
        }
        return Optional.empty();
    }

    private static Optional<String> likelyMeant(String method) {
        return KNOWN_METHODS.contains(method)
                ? Optional.empty()
                : KNOWN_METHODS.stream()
                        .filter(known -> isOneSlipFrom(known, method))
                        .findFirst();
    }

    /** One letter too many, one missing, one wrong, or two neighbours swapped. */
    private static boolean isOneSlipFrom(String known, String written) {
        int start = 0;
        int shorter = Math.min(known.length(), written.length());
        while (start < shorter && known.charAt(start) == written.charAt(start)) {
            start++;
        }
        String left = known.substring(start);
        String right = written.substring(start);
        return switch (left.length() - right.length()) {
            case 1 -> left.substring(1).equals(right);
            case -1 -> right.substring(1).equals(left);
            case 0 -> !left.isEmpty() && (left.substring(1).equals(right.substring(1)) || isSwap(left, right));
            default -> false;
        };
    }

    private static boolean isSwap(String left, String right) {
        return left.length() > 1
                && left.charAt(0) == right.charAt(1)
                && left.charAt(1) == right.charAt(0)
                && left.substring(2).equals(right.substring(2));
    }
}
