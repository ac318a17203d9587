package io.ratelimit.core.watch;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import org.jspecify.annotations.Nullable;

/** A failure in a flight recording. Its message stays out: it may quote a request. */
@Name("io.ratelimit.Failure")
@Label("Rate Limiter Failure")
@Description("Something of the limiter failed and was dealt with")
@Category({"Rate Limiter"})
@StackTrace(false)
final class FailureEvent extends Event {

    @Label("Kind")
    @Nullable
    String kind;

    @Label("Cause")
    @Description("The class of what was thrown")
    @Nullable
    String cause;
}
