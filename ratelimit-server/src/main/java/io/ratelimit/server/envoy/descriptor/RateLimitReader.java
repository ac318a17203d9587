package io.ratelimit.server.envoy.descriptor;

import io.ratelimit.core.match.LimitedRule;
import io.ratelimit.core.rules.Cursor;
import io.ratelimit.core.rules.Fields;
import io.ratelimit.core.rules.NearestWord;
import io.ratelimit.core.rules.Node;
import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.OnExceeded;
import io.ratelimit.rules.Rule;
import io.ratelimit.rules.StorePolicy;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads {@code rate_limit}. */
final class RateLimitReader {

    private static final String UNIT = "unit";
    private static final String REQUESTS = "requests_per_unit";
    private static final String UNLIMITED = "unlimited";
    private static final String NAME = "name";
    private static final String REPLACES = "replaces";
    private static final List<String> FIELDS = List.of(UNIT, REQUESTS, UNLIMITED, NAME, REPLACES);

    private static final long MOST_REQUESTS = 0xFFFF_FFFFL;
    private static final String WANTED_UNIT = "one of " + String.join(", ", LimitUnit.words());

    private final FieldReader values = new FieldReader();
    private final RuleLimits limits;
    private final long version;

    RateLimitReader(RuleLimits limits, long version) {
        this.limits = limits;
        this.version = version;
    }

    /** The limit; empty where something is wrong, which has been reported. */
    Optional<DescriptorLimit> read(Cursor block, DescriptorPath path, boolean shadow) {
        return Fields.open(block, FIELDS, Set.of()).flatMap(fields -> read(block, fields, path, shadow));
    }

    private Optional<DescriptorLimit> read(Cursor block, Fields fields, DescriptorPath path, boolean shadow) {
        String name =
                values.text(fields, NAME, "a name that others can replace").orElse(null);
        Set<String> replaces = replaces(fields, name);
        if (values.isTrue(fields, UNLIMITED)) {
            refuseBeside(fields, UNIT);
            refuseBeside(fields, REQUESTS);
            return Optional.of(new DescriptorLimit(name, replaces, null));
        }
        if (isMeantUnlimited(block, fields)) {
            return Optional.empty();
        }
        return quota(block, fields, path, shadow).map(quota -> new DescriptorLimit(name, replaces, quota));
    }

    /** Where 'unlimited' or its value is misspelt, which has been reported, nobody misses a unit and a number. */
    private boolean isMeantUnlimited(Cursor block, Fields fields) {
        boolean isRate = fields.get(UNIT).isPresent() || fields.get(REQUESTS).isPresent();
        return !isRate
                && block.node() instanceof Node.Mapping mapping
                && (values.isNoTruthValue(fields, UNLIMITED)
                        || mapping.entries().stream().map(Node.Entry::key).anyMatch(RateLimitReader::isLikeUnlimited));
    }

    private static boolean isLikeUnlimited(String name) {
        return !FIELDS.contains(name) && NearestWord.hint(name, FIELDS).equals(NearestWord.hint(UNLIMITED, FIELDS));
    }

    private void refuseBeside(Fields fields, String field) {
        values.present(fields, field)
                .ifPresent(value -> value.problem(
                        value.described() + " stands beside 'unlimited: true'; leave one of the two out"));
    }

    private Optional<DescriptorLimit.Quota> quota(Cursor block, Fields fields, DescriptorPath path, boolean shadow) {
        Optional<LimitUnit> unit = fields.required(UNIT, WANTED_UNIT).flatMap(RateLimitReader::unit);
        OptionalLong requests = fields.required(REQUESTS, "a whole number; 0 refuses every request")
                .map(field -> field.wholeNumber(0, MOST_REQUESTS))
                .orElse(OptionalLong.empty());
        if (unit.isEmpty() || requests.isEmpty()) {
            return Optional.empty();
        }
        return block.attempt(() -> limited(path, requests.getAsLong(), unit.get(), shadow))
                .map(rule -> new DescriptorLimit.Quota(requests.getAsLong(), unit.get(), rule));
    }

    private static Optional<LimitUnit> unit(Cursor field) {
        Optional<String> word = field.anyScalar(WANTED_UNIT);
        Optional<LimitUnit> unit = word.flatMap(LimitUnit::of);
        if (word.isPresent() && unit.isEmpty()) {
            field.problem(Printable.quoted(word.get()) + " is no unit" + NearestWord.hint(word.get(), LimitUnit.words())
                    + "; give " + WANTED_UNIT);
        }
        return unit;
    }

    private LimitedRule limited(DescriptorPath path, long requests, LimitUnit unit, boolean shadow) {
        Rule rule = new Rule(
                path.ruleName(),
                // Which requests it applies to, the tree says.
                Condition.ALWAYS,
                path.key(),
                List.of(unit.limit(requests)),
                List.of(),
                shadow ? OnExceeded.SHADOW : OnExceeded.REJECT,
                StorePolicy.UNSET);
        return limits.limited(rule, path.domain(), version);
    }

    private Set<String> replaces(Fields fields, @Nullable String own) {
        Set<String> names = new LinkedHashSet<>();
        for (Cursor item : values.present(fields, REPLACES)
                .map(list -> list.items("names of limits, such as - name: per-user"))
                .orElse(List.of())) {
            Fields.open(item, List.of(NAME), Set.of())
                    .flatMap(inner -> values.requiredText(inner, NAME, "the name of another rate_limit"))
                    .ifPresent(name -> {
                        if (name.equals(own)) {
                            item.problem("the limit " + Printable.quoted(name)
                                    + " replaces itself; name another one, or leave it out");
                        }
                        names.add(name);
                    });
        }
        return names;
    }
}
