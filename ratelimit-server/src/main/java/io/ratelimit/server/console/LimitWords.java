package io.ratelimit.server.console;

import io.ratelimit.rules.Algorithm;
import io.ratelimit.rules.Alignment;
import io.ratelimit.rules.Limit;
import io.ratelimit.rules.LimitOptions;
import io.ratelimit.rules.Penalty;
import io.ratelimit.rules.Refill;
import java.util.ArrayList;
import java.util.List;

/** Says in plain words how much a limit allows. Immutable and thread-safe. */
final class LimitWords {

    private final DurationWords durations = new DurationWords();

    /** All of them, which must all hold. */
    List<String> of(List<Limit> limits) {
        return limits.isEmpty()
                ? List.of("no limit")
                : limits.stream().map(this::of).toList();
    }

    /** Such as {@code 20 per second, 40 at once}. */
    String of(Limit limit) {
        if (limit.isBlocked()) {
            return "nothing: always refused";
        }
        List<String> words = new ArrayList<>();
        if (limit.algorithm() == Algorithm.CONCURRENCY) {
            words.add(Counted.number(limit.tokens()) + " at the same time");
        } else {
            words.add(Counted.number(limit.tokens()) + " per " + durations.per(limit.period()));
        }
        if (limit.capacity() != limit.tokens()) {
            words.add((limit.capacity() < limit.tokens() ? "never more than " : "") + Counted.number(limit.capacity())
                    + " at once");
        }
        if (limit.algorithm() != Algorithm.TOKEN_BUCKET && limit.algorithm() != Algorithm.CONCURRENCY) {
            words.add("by " + limit.algorithm().word());
        }
        addOptions(words, limit.options());
        return String.join(", ", words);
    }

    private void addOptions(List<String> words, LimitOptions options) {
        if (options.refill() == Refill.INTERVAL) {
            words.add("given back all at once");
        }
        if (options.alignment() instanceof Alignment.Clock clock) {
            words.add("by the calendar of " + clock.zone().getId());
        }
        if (!options.minInterval().isZero()) {
            words.add("at least " + durations.of(options.minInterval()) + " apart");
        }
        if (options.chargeRefused()) {
            words.add("refused requests count too");
        }
        Penalty penalty = options.penalty();
        if (penalty != null) {
            words.add("after " + penalty.refusals() + (penalty.refusals() == 1 ? " refusal" : " refusals")
                    + " refused for " + durations.of(penalty.length()));
        }
        if (!options.warmUp().isZero()) {
            words.add("rising for " + durations.of(options.warmUp()));
        }
        if (options.adaptive()) {
            words.add("adapted to response times");
        }
    }
}
