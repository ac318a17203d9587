package io.ratelimit;

import java.util.Optional;

/**
 * Writes the bodies of refusals in a form of the application's own. The header fields of the answer stay the limiter's.
 * Found by {@link java.util.ServiceLoader}, which needs a public constructor without parameters, or handed to whoever
 * makes the answers.
 *
 * <p>Called on the thread of the request, by many threads at once, and most often when there are too many requests: an
 * implementation must be thread-safe and quick, and calls no other service.
 */
@FunctionalInterface
public interface RefusalResponder {

    /**
     * Writes the body of one refusal. Of several responders the first that has a body counts; where none has, the
     * limiter's own answers.
     *
     * @param refused the request that was refused; good until this returns
     * @return the body; empty to leave this refusal to the next responder. What is thrown, and null, count as empty and
     *     are reported once for each responder
     */
    Optional<RefusalBody> respond(RefusedRequest refused);
}
