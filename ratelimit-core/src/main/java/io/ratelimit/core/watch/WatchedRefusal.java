package io.ratelimit.core.watch;

import io.ratelimit.ClientIdentifier;
import io.ratelimit.LimitStatus;
import io.ratelimit.RequestContext;
import io.ratelimit.core.rules.Printable;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request that was refused. What it tells of itself is escaped and shortened. Immutable.
 *
 * @param context the request
 * @param rule the name of the rule that refused it, or null where no bucket could be asked
 * @param limit the limit that refused it, or null where nobody asked for it
 * @param client whose bucket was charged, or null where nobody asked for it
 */
public record WatchedRefusal(
        RequestContext context,
        @Nullable String rule,
        @Nullable LimitStatus limit,
        @Nullable ClientIdentifier client) {

    private static final int LONGEST_METHOD = 20;
    private static final int LONGEST_PATH = 200;

    /** Method and path, or the request's own words. */
    String request() {
        String method = method();
        return method == null ? path() : method + " " + path();
    }

    /** Null where the request has words of its own. */
    @Nullable
    String method() {
        return context instanceof WordedRequest ? null : printable(context.method(), LONGEST_METHOD);
    }

    /** The path, or the request's own words. */
    String path() {
        return printable(context instanceof WordedRequest worded ? worded.inWords() : context.path(), LONGEST_PATH);
    }

    /** What refused, as exactly as is known; null where no bucket could be asked. */
    @Nullable
    String policy() {
        return limit == null ? rule : limit.policy();
    }

    /** Empty where no waiting helps, or nobody knows how long. */
    Optional<Duration> retryAfter() {
        return limit == null ? Optional.empty() : limit.retryAfter();
    }

    private static String printable(String text, int most) {
        return Printable.escaped(Printable.shortened(text, most));
    }
}
