package io.ratelimit.core.entry;

import io.ratelimit.core.algorithm.LimitAlgorithm;
import io.ratelimit.core.bucket.CompiledSpec;
import io.ratelimit.core.wire.SpecForm;
import io.ratelimit.rules.Limit;
import java.util.function.Function;

/**
 * Which of a client's buckets, and what it counts by. One instance serves all clients.
 *
 * @param name the bucket's name
 * @param spec its limits
 * @param form both as messages carry them
 */
record NamedSpec(String name, CompiledSpec spec, SpecForm form) {

    NamedSpec(String name, CompiledSpec spec) {
        this(name, spec, SpecForm.of(new SpecForm.Content(name, spec.version(), spec.limits())));
    }

    static NamedSpec of(SpecForm form, Function<Limit, LimitAlgorithm> algorithm) {
        SpecForm.Content content = form.decode();
        return new NamedSpec(content.name(), CompiledSpec.of(content.version(), content.limits(), algorithm), form);
    }

    /** How many bytes at the beginning of the form tell the name. */
    int bytesOfName() {
        return SpecForm.bytesOfName(name);
    }

    /** Of the same name and limits, which the form tells. */
    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof NamedSpec that && form.equals(that.form));
    }

    @Override
    public int hashCode() {
        return form.hashCode();
    }
}
