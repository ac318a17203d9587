package io.ratelimit.core.match;

import io.ratelimit.core.rules.Printable;
import io.ratelimit.rules.Condition;
import io.ratelimit.rules.PathPattern;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a condition holds for a request, and why. Asks each criterion of the compiled condition again, one by one, so
 * that matching itself need not keep reasons.
 *
 * @param holds whether all criteria hold
 * @param text what holds, or what does not
 */
record ConditionReason(boolean holds, String text) {

    private static final int LONGEST_LIST = 120;

    static ConditionReason of(Condition condition, MatchedRequest request) {
        Criteria criteria = new Criteria(request);
        CompiledCondition compiled = new CompiledCondition(condition, "", new UnreadableRequests());
        if (!condition.paths().isEmpty()) {
            criteria.add(
                    matched -> matches(condition, matched),
                    () -> "path " + matching(condition, request) + " matches " + path(request),
                    () -> "path " + oneOf(condition.paths()) + " does not match " + path(request));
        }
        if (!condition.methods().isEmpty()) {
            String method = quoted(request.method());
            criteria.add(
                    compiled::methodFits,
                    () -> "method " + method,
                    () -> "method " + method + " is not " + oneOf(condition.methods()));
        }
        if (!condition.operations().isEmpty()) {
            addText(criteria, compiled::operationFits, "operation", request::operation, condition.operations());
        }
        if (!condition.users().isEmpty()) {
            addText(criteria, compiled::userFits, "user", request::user, condition.users());
        }
        if (!condition.addresses().isEmpty()) {
            criteria.add(
                    compiled::addressFits,
                    () -> "address " + address(request),
                    () -> "address " + address(request) + " is not in " + oneOf(condition.addresses()));
        }
        condition
                .attributes()
                .forEach((name, values) -> addText(
                        criteria,
                        matched -> CompiledCondition.attributeFits(matched, name, values),
                        "attribute " + quoted(name),
                        () -> {
                            Object value = request.attribute(name);
                            return value == null ? null : value.toString();
                        },
                        values));
        return criteria.reason();
    }

    private static void addText(
            Criteria criteria,
            Predicate<MatchedRequest> fits,
            String name,
            Supplier<@Nullable String> seen,
            Collection<String> wanted) {
        criteria.add(fits, () -> name + " is " + known(seen.get()), () -> {
            String value = seen.get();
            return name + " is " + (value == null ? "unknown" : known(value)) + ", not " + oneOf(wanted);
        });
    }

    private static String known(@Nullable String value) {
        return value == null ? "unknown" : Printable.quoted(value);
    }

    private static boolean matches(Condition condition, MatchedRequest request) {
        return PathTrie.of(condition.paths()).matches(PathSegments.of(request.path()));
    }

    private static String matching(Condition condition, MatchedRequest request) {
        List<PathPattern> found = new ArrayList<>();
        PathTrie.of(condition.paths()).match(PathSegments.of(request.path()), found::add);
        return oneOf(found);
    }

    private static String path(MatchedRequest request) {
        return quoted(request.path());
    }

    private static String address(MatchedRequest request) {
        return request.clientAddress() == null
                ? "unknown"
                : request.clientAddress().getHostAddress();
    }

    /** Without quotes where nothing hides in the text. */
    private static String quoted(String text) {
        String plain = Printable.escaped(Printable.shortened(text, LONGEST_LIST));
        return plain.isBlank() || plain.contains(" ") ? "'" + plain + "'" : plain;
    }

    private static String oneOf(Collection<?> values) {
        List<String> texts = values.stream().map(Object::toString).sorted().toList();
        String all = Printable.escaped(Printable.shortened(String.join(", ", texts), LONGEST_LIST));
        return texts.size() == 1 ? all : "[" + all + "]";
    }

    /** Criteria that were asked, and what each said. */
    private static final class Criteria {

        private final MatchedRequest request;
        private final List<String> held = new ArrayList<>();
        private final List<String> failed = new ArrayList<>();

        Criteria(MatchedRequest request) {
            this.request = request;
        }

        /** A criterion that the request throws at does not hold, as in matching. */
        void add(Predicate<MatchedRequest> criterion, Supplier<String> why, Supplier<String> whyNot) {
            try {
                if (criterion.test(request)) {
                    held.add(why.get());
                } else {
                    failed.add(whyNot.get());
                }
            } catch (Throwable e) {
                failed.add("what it asks for cannot be read of the request: "
                        + e.getClass().getName());
            }
        }

        ConditionReason reason() {
            if (!failed.isEmpty()) {
                return new ConditionReason(false, String.join("; ", failed));
            }
            return new ConditionReason(true, held.isEmpty() ? "every request matches" : String.join(", ", held));
        }
    }
}
