package io.ratelimit.core.rules;

import io.ratelimit.rules.ClientAddressPolicy;
import io.ratelimit.rules.ClientAddressPolicy.ForwardingHeader;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.OperationCost;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.RuleSet;
import io.ratelimit.rules.StorePolicy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Reads the whole of a rule set. Where something is wrong, a stand-in keeps the reading going. */
final class RuleSetReader {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]+");
    private static final String STAND_IN = "-";

    /** What stands in for a resolver where the rules do not say. */
    private static final long DEFAULT_COST = 1;

    private static final String CONDITION_EXAMPLE = "conditions, such as { path: /health }";
    private static final List<String> FIELDS = List.of(
            "service",
            "clients",
            "trustedProxies",
            "forwardedHeader",
            "ipv6Prefix",
            "exempt",
            "costs",
            "sharing",
            "onFailure",
            "storeTimeout",
            "rules");
    private static final List<String> COST_FIELDS = Stream.concat(
                    ConditionReader.FIELDS.stream(), Stream.of("cost", "resolver"))
            .toList();
    private static final Words<ForwardingHeader> HEADERS = new Words<>(headers(), Set.of());

    private final ConditionReader conditions = new ConditionReader();
    private final KeyReader keys = new KeyReader();
    private final StorePolicyReader store = new StorePolicyReader();
    private final RuleReader rule = new RuleReader(conditions, keys, store);

    Optional<RuleSet> read(Cursor document, long version) {
        return Fields.open(document, FIELDS, Set.of()).map(fields -> read(fields, version));
    }

    private RuleSet read(Fields fields, long version) {
        StorePolicy policy = store.read(fields);
        return new RuleSet(
                fields.required("service", "the service's name, such as service: orders")
                        .flatMap(RuleSetReader::name)
                        .orElse(STAND_IN),
                version,
                fields.get("clients").map(keys::identities).orElse(RuleSet.DEFAULT_CLIENTS),
                addresses(fields),
                fields.get("exempt").map(this::exempt).orElse(List.of()),
                fields.get("costs").map(this::costs).orElse(List.of()),
                policy,
                fields.required("rules", "a list of rules, or rules: [] for none")
                        .map(cursor -> rules(cursor, policy))
                        .orElse(List.of()));
    }

    private ClientAddressPolicy addresses(Fields fields) {
        ClientAddressPolicy defaults = ClientAddressPolicy.DEFAULT;
        return new ClientAddressPolicy(
                fields.get("trustedProxies").map(conditions::ranges).orElse(defaults.trustedProxies()),
                fields.get("forwardedHeader")
                        .flatMap(field -> field.word(HEADERS))
                        .orElse(defaults.header()),
                fields.get("ipv6Prefix")
                        .map(field -> (int) field.wholeNumber(1, 128).orElse(defaults.ipv6Prefix()))
                        .orElse(defaults.ipv6Prefix()));
    }

    private List<Condition> exempt(Cursor cursor) {
        return cursor.items(CONDITION_EXAMPLE).stream()
                .map(item -> conditions.readNotEmpty(item, "would free everybody"))
                .toList();
    }

    private List<OperationCost> costs(Cursor cursor) {
        List<OperationCost> costs = new ArrayList<>();
        for (Cursor item : cursor.items("costs, such as { path: /reports/**, cost: 10 }")) {
            Fields.open(item, COST_FIELDS, Set.of()).map(this::cost).ifPresent(costs::add);
        }
        return costs;
    }

    private OperationCost cost(Fields fields) {
        Optional<Cursor> resolver = fields.get("resolver");
        Optional<Cursor> cost = resolver.isPresent()
                ? fields.get("cost")
                : fields.required("cost", "what these requests cost, such as cost: 10, or a resolver");
        return new OperationCost(
                conditions.read(fields),
                resolver.flatMap(RuleSetReader::name).orElse(null),
                cost.map(field -> field.wholeNumber(0, Limit.MOST_TOKENS).orElse(0))
                        .orElse(DEFAULT_COST));
    }

    private List<Rule> rules(Cursor cursor, StorePolicy policy) {
        List<Rule> rules = new ArrayList<>();
        Map<String, Integer> linesByName = new HashMap<>();
        for (Cursor item : cursor.items("rules, or [] for none")) {
            Optional<String> name = ruleName(item, linesByName);
            Cursor place = name.map(item::inRule).orElse(item);
            int problemsBefore = place.problems().count();
            Optional<Rule> read = rule.read(place, name.orElse(STAND_IN));
            read.ifPresent(rules::add);
            if (place.problems().count() == problemsBefore) {
                // Parts that cannot be read have stand-ins, which would only draw complaints of their own.
                read.map(valid -> RuleCheck.of(valid, policy)).orElse(List.of()).forEach(place::problem);
            }
        }
        return rules;
    }

    /** Looks the name up before the rest of the rule, so that every problem of the rule can name it. */
    private static Optional<String> ruleName(Cursor item, Map<String, Integer> linesByName) {
        if (!(item.node() instanceof Node.Mapping)) {
            return Optional.empty();
        }
        Optional<Cursor> field = item.peek("name");
        if (field.isEmpty()) {
            item.problems()
                    .add(
                            item.line(),
                            item.node().column(),
                            item.path() + ".name",
                            "the field 'name' is missing; give the rule a name, such as name: everyone");
            return Optional.empty();
        }
        Cursor cursor = field.get();
        Optional<String> name = name(cursor);
        name.ifPresent(valid -> {
            Integer first = linesByName.putIfAbsent(valid, cursor.line());
            if (first != null) {
                cursor.inRule(valid)
                        .problem("two rules are named " + Printable.quoted(valid) + ", in line " + first
                                + " and in line " + cursor.line() + "; give one of them another name");
            }
        });
        return name;
    }

    private static Optional<String> name(Cursor cursor) {
        return cursor.parsed("a name of letters, digits, '.', '_' and '-'", text -> {
            if (!NAME.matcher(text).matches()) {
                throw new IllegalArgumentException(
                        Printable.quoted(text) + " is no name; a name is made of letters, digits, '.', '_' and '-'");
            }
            return text;
        });
    }

    private static Map<String, ForwardingHeader> headers() {
        Map<String, ForwardingHeader> words = new LinkedHashMap<>();
        words.put("x-forwarded-for", ForwardingHeader.X_FORWARDED_FOR);
        words.put("forwarded", ForwardingHeader.FORWARDED);
        return words;
    }
}
