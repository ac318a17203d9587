package io.ratelimit.rules;

import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;

/** The spelling of a limit in a rules file: a rate where that says all, else a mapping without the defaults. */
final class LimitText {

    private static final ZoneId DEFAULT_ZONE = ZoneId.of("UTC");

    private final List<String> fields = new ArrayList<>();

    private LimitText() {}

    static String of(Limit limit) {
        if (limit.isBlocked()) {
            return "0";
        }
        boolean isRate =
                limit.algorithm() == Algorithm.TOKEN_BUCKET && limit.options().equals(LimitOptions.NONE);
        return isRate ? rate(limit) : new LimitText().mapping(limit);
    }

    private static String rate(Limit limit) {
        String burst = limit.capacity() == limit.tokens() ? "" : " burst " + limit.capacity();
        return limit.tokens() + " per " + limit.periodText() + burst;
    }

    private String mapping(Limit limit) {
        add("tokens", limit.tokens(), true);
        add("per", limit.periodText(), limit.algorithm() != Algorithm.CONCURRENCY);
        add("burst", limit.capacity(), limit.capacity() != limit.tokens());
        add("algorithm", limit.algorithm().word(), limit.algorithm() != Algorithm.TOKEN_BUCKET);
        LimitOptions options = limit.options();
        add("refill", "interval", options.refill() == Refill.INTERVAL);
        alignment(options.alignment());
        add("precision", options.precision(), options.precision() != 1);
        time("minInterval", options.minInterval());
        add("chargeRefused", true, options.chargeRefused());
        Penalty penalty = options.penalty();
        if (penalty != null) {
            add(
                    "penalty",
                    "{ after: " + penalty.refusals() + ", for: " + new DurationText(penalty.length()) + " }",
                    true);
        }
        time("warmUp", options.warmUp());
        add("adaptive", true, options.adaptive());
        return "{ " + String.join(", ", fields) + " }";
    }

    private void alignment(Alignment alignment) {
        if (alignment instanceof Alignment.Clock clock) {
            add("align", "clock", true);
            boolean isDefault =
                    clock.zone().equals(DEFAULT_ZONE) || clock.zone().equals(ZoneOffset.UTC);
            add("zone", clock.zone().getId(), !isDefault);
        }
    }

    private void time(String name, Duration value) {
        add(name, new DurationText(value), !value.isZero());
    }

    private void add(String name, Object value, boolean isSaid) {
        if (isSaid) {
            fields.add(name + ": " + value);
        }
    }
}
