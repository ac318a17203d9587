package io.ratelimit.core.rules;

import io.ratelimit.rules.Charging;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.Key;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOverride;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads one rule. */
final class RuleReader {

    private static final List<String> FIELDS = List.of(
            "name",
            "match",
            "key",
            "limits",
            "overrides",
            "charge",
            "onExceeded",
            "onFailure",
            "sharing",
            "storeTimeout");

    private final ConditionReader conditions;
    private final LimitsReader limits = new LimitsReader();
    private final KeyReader keys;
    private final StorePolicyReader store;
    private final ChargingReader charging = new ChargingReader();
    private final OnExceededReader onExceeded = new OnExceededReader();

    RuleReader(ConditionReader conditions, KeyReader keys, StorePolicyReader store) {
        this.conditions = conditions;
        this.keys = keys;
        this.store = store;
    }

    /**
     * Reads a rule.
     *
     * @param name the rule's name, which the problems of the cursor name
     */
    Optional<Rule> read(Cursor cursor, String name) {
        return Fields.open(cursor, FIELDS, Set.of()).map(fields -> read(fields, name));
    }

    private Rule read(Fields fields, String name) {
        return new Rule(
                name,
                fields.get("match").map(conditions::read).orElse(Condition.ALWAYS),
                fields.get("key").map(keys::key).orElseGet(Key.Client::new),
                fields.required("limits", LimitsReader.EXAMPLES)
                        .map(limits::read)
                        .orElse(List.of()),
                fields.get("overrides").map(this::overrides).orElse(List.of()),
                fields.get("charge").map(charging::read).orElse(Charging.ON_REQUEST),
                fields.get("onExceeded").map(onExceeded::read).orElse(OnExceeded.REJECT),
                store.read(fields));
    }

    private List<LimitOverride> overrides(Cursor cursor) {
        List<LimitOverride> overrides = new ArrayList<>();
        for (Cursor item : cursor.items("overrides, such as { when: { user: ops }, unlimited: true }")) {
            Fields.open(item, List.of("when", "limits", "unlimited"), Set.of())
                    .map(this::override)
                    .ifPresent(overrides::add);
        }
        return overrides;
    }

    private LimitOverride override(Fields fields) {
        Condition when = fields.required("when", "the requests it is for, such as when: { user: ops }")
                .map(field -> conditions.readNotEmpty(field, "would replace the rule's limits for everybody"))
                .orElse(Condition.ALWAYS);
        return new LimitOverride(when, overridingLimits(fields));
    }

    private List<Limit> overridingLimits(Fields fields) {
        Optional<Cursor> unlimited = fields.get("unlimited");
        if (unlimited.isEmpty()) {
            return fields.required("limits", LimitsReader.EXAMPLES + " (or unlimited: true)")
                    .map(limits::read)
                    .orElse(List.of());
        }
        if (fields.has("limits")) {
            unlimited.get().problem("'unlimited' and 'limits' contradict each other; keep one of them");
        }
        if (!isTrue(unlimited.get().node())) {
            unlimited
                    .get()
                    .problem(unlimited.get().described()
                            + " stands where only true makes sense; write unlimited: true, or give 'limits' instead");
        }
        return List.of();
    }

    private static boolean isTrue(Node node) {
        return node instanceof Node.Scalar scalar
                && scalar.type() == Node.Scalar.Type.BOOLEAN
                && scalar.text().equalsIgnoreCase("true");
    }
}
