package io.ratelimit.core.report;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A decision that a test makes up. Not a record: each is another one, as those of an engine are. */
final class Decided implements Decision {

    private final boolean allowed;
    private final boolean mustBeSettled;

    private Decided(boolean allowed, boolean mustBeSettled) {
        this.allowed = allowed;
        this.mustBeSettled = mustBeSettled;
    }

    static Decided allows() {
        return new Decided(true, false);
    }

    static Decided refuses() {
        return new Decided(false, false);
    }

    static Decided allowsForNow() {
        return new Decided(true, true);
    }

    @Override
    public boolean allowed() {
        return allowed;
    }

    @Override
    public Reason reason() {
        return allowed ? Reason.WITHIN_LIMITS : Reason.LIMIT_EXCEEDED;
    }

    @Override
    public @Nullable LimitStatus decidingLimit() {
        return null;
    }

    @Override
    public List<LimitStatus> limits() {
        return List.of();
    }

    @Override
    public boolean mustBeSettled() {
        return mustBeSettled;
    }
}
