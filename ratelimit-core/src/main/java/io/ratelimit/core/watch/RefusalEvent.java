package io.ratelimit.core.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import org.jspecify.annotations.Nullable;

/** A refusal in a flight recording. Who was refused is told by no more than a fingerprint. */
@Name("io.ratelimit.Refusal")
@Label("Rate Limit Refusal")
@Description("A request that a limit refused")
@Category({"Rate Limiter"})
@StackTrace(false)
final class RefusalEvent extends Event {

    @Label("Method")
    @Nullable
    String method;

    @Label("Path")
    @Description("The path, or what a request without method and path calls itself")
    @Nullable
    String path;

    @Label("Policy")
    @Description("The limit that refused; none where no bucket could be asked")
    @Nullable
    String policy;

    @Label("Client")
    @Description("The kind of identity, and a fingerprint under a secret of this process")
    @Nullable
    String client;

    @Label("Retry After")
    @Description("When the request would pass; -1 where no waiting helps or nobody knows")
    @Timespan(Timespan.NANOSECONDS)
    long retryAfter;
}
