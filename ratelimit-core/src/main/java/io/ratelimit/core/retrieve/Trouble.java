package io.ratelimit.core.retrieve;

import io.ratelimit.rules.RuleProblem;
import io.ratelimit.rules.RulesException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is wrong with a host's rules.
 *
 * @param error in one line; null if nothing is
 * @param errors the mistakes, where rules were refused for mistakes
 */
record Trouble(@Nullable String error, List<String> errors) {

    static final Trouble NONE = new Trouble(null, List.of());

    /** Rules that were refused. */
    static Trouble refused(String reason, Throwable why) {
        return new Trouble(
                reason,
                why instanceof RulesException mistakes
                        ? mistakes.problems().stream()
                                .map(RuleProblem::toString)
                                .map(OneLine::of)
                                .toList()
                        : List.of());
    }

    /** A source that cannot be read. */
    static Trouble unread(String reason) {
        return new Trouble(reason, List.of());
    }
}
