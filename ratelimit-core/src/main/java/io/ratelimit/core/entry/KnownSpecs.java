package io.ratelimit.core.entry;

import com.google.common.collect.MapMaker;
import io.ratelimit.core.wire.SpecForm;
import java.util.concurrent.ConcurrentMap;

/** One copy of each spec that buckets count by, and for a while of those that they no longer do. Thread-safe. */
public final class KnownSpecs {

    private final ConcurrentMap<SpecForm, NamedSpec> specs =
            new MapMaker().weakValues().makeMap();

    /** Begins without any. */
    public KnownSpecs() {}

    /** What a form means. */
    NamedSpec of(SpecForm form) {
        NamedSpec known = specs.get(form);
        return known == null ? specs.computeIfAbsent(form, NamedSpec::of) : known;
    }
}
