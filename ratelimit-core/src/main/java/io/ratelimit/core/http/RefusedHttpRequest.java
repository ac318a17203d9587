package io.ratelimit.core.http;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.RefusedRequest;
import io.ratelimit.RequestContext;
import io.ratelimit.TimeSource;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** One request that was refused. Not thread-safe. */
final class RefusedHttpRequest implements RefusedRequest {

    private static final long NANOS_PER_MILLI = 1_000_000;

    private final RequestContext context;
    private final Decision decision;
    private final @Nullable LimitStatus deciding;
    private final int status;
    private final Messages messages;
    private final TimeSource timeSource;
    private @Nullable Locale locale;

    RefusedHttpRequest(
            RequestContext context,
            Decision decision,
            @Nullable LimitStatus deciding,
            int status,
            Messages messages,
            TimeSource timeSource) {
        this.context = context;
        this.decision = decision;
        this.deciding = deciding;
        this.status = status;
        this.messages = messages;
        this.timeSource = timeSource;
    }

    @Override
    public RequestContext context() {
        return context;
    }

    @Override
    public Decision decision() {
        return decision;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public OptionalLong retryAfterSeconds() {
        long wait = deciding == null ? Waits.NONE : Waits.untilAdmitted(deciding.state());
        return wait == Waits.NONE ? OptionalLong.empty() : OptionalLong.of(wait);
    }

    /** Rounded up like all waits. */
    @Override
    public Optional<Instant> renewal() {
        if (deciding == null || Waits.untilAdmitted(deciding.state()) == Waits.NONE) {
            return Optional.empty();
        }
        long nanos = deciding.state().waitNanos();
        long millis = nanos / NANOS_PER_MILLI + (nanos % NANOS_PER_MILLI == 0 ? 0 : 1);
        return Optional.of(Instant.ofEpochMilli(timeSource.currentTimeMillis() + millis));
    }

    @Override
    public String message() {
        return messages.message(locale(), deciding);
    }

    @Override
    public Locale locale() {
        Locale chosen = locale;
        if (chosen == null) {
            chosen = messages.languageFor(acceptLanguage());
            locale = chosen;
        }
        return chosen;
    }

    @Override
    public Optional<String> chooseType(List<String> types) {
        return AcceptedType.choose(context.headers("Accept"), types);
    }

    @Override
    public Optional<Locale> chooseLanguage(List<Locale> languages) {
        return AcceptedLanguage.choose(acceptLanguage(), languages);
    }

    private List<String> acceptLanguage() {
        return context.headers("Accept-Language");
    }
}
