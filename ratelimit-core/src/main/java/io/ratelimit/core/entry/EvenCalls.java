package io.ratelimit.core.entry;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** Calls in numbers. Most requests under a rule ask for the same, which is put in numbers only once. Thread-safe. */
public final class EvenCalls {

    private static final int MOST_KNOWN = 1_000;

    private final KnownSpecs specs;
    private final ConcurrentMap<Step, Optional<EvenCall>> known = new ConcurrentHashMap<>();

    /**
     * Begins without any.
     *
     * @param specs what forms mean, on a clock of microseconds
     */
    public EvenCalls(KnownSpecs specs) {
        this.specs = specs;
    }

    /**
     * A call in numbers.
     *
     * @param call a call
     * @return the call, or null if a script cannot make it
     */
    public @Nullable EvenCall of(EntryCall call) {
        if (call.steps().size() != 1) {
            return EvenCall.of(call, specs);
        }
        Step step = call.steps().get(0);
        if (step instanceof SpendStep spend && spend.isLate()) {
            // Of another cost each time, and never for a script.
            return null;
        }
        Optional<EvenCall> made = known.get(step);
        if (made == null) {
            made = Optional.ofNullable(EvenCall.of(call, specs));
            remember(step, made);
        }
        return made.orElse(null);
    }

    private void remember(Step step, Optional<EvenCall> made) {
        if (!(step instanceof SpendStep)) {
            return;
        }
        if (known.size() >= MOST_KNOWN) {
            known.clear();
        }
        known.put(step, made);
    }
}
