package io.ratelimit.core.entry;

import com.google.common.collect.MapMaker;
import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/** One copy of each spec that buckets count by, and for a while of those that they no longer do. Thread-safe. */
public final class KnownSpecs {

    private final ConcurrentMap<SpecForm, NamedSpec> specs =
            new MapMaker().weakValues().makeMap();

    private final Function<Limit, LimitAlgorithm> algorithm;

    /** Begins without any, on a clock of nanoseconds. */
    public KnownSpecs() {
        this(LimitAlgorithm::of);
    }

    /**
     * Begins without any.
     *
     * @param algorithm the arithmetic of a limit on the clock of those who keep entries
     */
    public KnownSpecs(Function<Limit, LimitAlgorithm> algorithm) {
        this.algorithm = algorithm;
    }

    /** What a form means. */
    NamedSpec of(SpecForm form) {
        NamedSpec known = specs.get(form);
        return known == null ? specs.computeIfAbsent(form, made -> NamedSpec.of(made, algorithm)) : known;
    }
}
