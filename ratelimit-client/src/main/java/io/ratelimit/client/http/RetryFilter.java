package io.ratelimit.client.http;

import jakarta.ws.rs.ProcessingException;
import jakarta.ws.rs.client.ClientRequestContext;
import jakarta.ws.rs.client.ClientRequestFilter;
import jakarta.ws.rs.client.ClientResponseContext;
import jakarta.ws.rs.client.ClientResponseFilter;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Around all other filters of a client: keeps a call as it was, looks at its answer, and makes it again. Other attempts pass
 * here too, and are only taken note of. Thread-safe.
 */
final class RetryFilter implements ClientRequestFilter, ClientResponseFilter {

    /** The property of a caller's call. */
    static final String CALL = RepeatedCall.class.getName();

    /** The property of a call that is another attempt. */
    static final String ATTEMPT = CallAttempt.class.getName();

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    private final Retries retries;
    private final @Nullable QuietOrigins quiet;

    /**
     * Makes a filter.
     *
     * @param retries how calls are made again
     * @param quiet the servers that calls are held back from, or null where none is
     */
    RetryFilter(Retries retries, @Nullable QuietOrigins quiet) {
        this.retries = retries;
        this.quiet = quiet;
    }

    @Override
    public void filter(ClientRequestContext request) throws IOException {
        if (request.getProperty(ATTEMPT) instanceof CallAttempt attempt) {
            if (!attempt.isMadeWith(request.getConfiguration())) {
                request.abortWith(Response.status(UNAVAILABLE).build());
                return;
            }
        } else {
            retries.limits().request();
            Response instead = holdBack(request.getUri());
            if (instead != null) {
                request.abortWith(instead);
                return;
            }
            request.setProperty(CALL, new RepeatedCall(request));
        }
        pace();
    }

    /** Waits while the server wants to be left alone. Whoever cannot gets an answer at once. */
    private @Nullable Response holdBack(URI uri) throws IOException {
        Optional<QuietOrigins.Quiet> wish = quiet == null ? Optional.empty() : quiet.of(uri);
        if (wish.isEmpty()) {
            return null;
        }
        Duration left = wish.get().left();
        boolean isTooLong = left.compareTo(retries.settings().longestWait()) > 0;
        if (isTooLong || !retries.limits().takePlace()) {
            return Response.status(wish.get().status())
                    .header(
                            "Retry-After",
                            Math.max(1, left.plusNanos(999_999_999).toSeconds()))
                    .build();
        }
        await(retries.settings().backoff().after(1, left));
        return null;
    }

    private void pace() throws IOException {
        if (retries.pace() != null) {
            try {
                retries.pace().acquire();
            } catch (InterruptedException e) {
                throw interrupted();
            }
        }
    }

    @Override
    public void filter(ClientRequestContext request, ClientResponseContext response) throws IOException {
        if (request.getProperty(ATTEMPT) instanceof CallAttempt attempt) {
            attempt.answered(response);
        } else if (request.getProperty(CALL) instanceof RepeatedCall call) {
            CallAnswer first = CallAnswer.of(response);
            Duration wait = waitAfterAnswer(call, 1, first);
            if (wait != null) {
                repeat(call, wait, kept(first)).replace(response);
            }
        }
    }

    private CallAnswer kept(CallAnswer answer) throws IOException {
        try {
            return answer.kept();
        } catch (IOException | RuntimeException e) {
            retries.limits().leave();
            throw e;
        }
    }

    /** Makes a call again until there is an answer for the caller. */
    private CallAnswer repeat(RepeatedCall call, Duration first, CallAnswer refusal) throws IOException {
        CallAnswer last = refusal;
        Duration wait = first;
        if (!refusal.isKept()) {
            retries.limits().leave();
            return refusal;
        }
        for (int attempts = 2; wait != null; attempts++) {
            await(wait);
            try {
                CallAnswer answer = call.attempt();
                if (answer == null) {
                    return last;
                }
                wait = waitAfterAnswer(call, attempts, answer);
                last = wait == null ? answer : kept(answer);
            } catch (ProcessingException e) {
                wait = waitAfterFailure(call, attempts, e);
            }
        }
        return last;
    }

    /** How long to wait after an answer before another attempt, or null where there is to be none. */
    private @Nullable Duration waitAfterAnswer(RepeatedCall call, int attempts, CallAnswer answer) {
        int status = answer.status().getStatusCode();
        Duration stated = answer.statedWait();
        if (quiet != null && stated != null && (status == TOO_MANY_REQUESTS || status == UNAVAILABLE)) {
            quiet.refused(call.uri(), status, stated);
        }
        return RepeatRules.allow(call.mayRepeat(retries.settings().rules()), status, stated != null)
                ? waitIfAllowed(call, attempts, stated)
                : null;
    }

    /** How long to wait after an attempt without an answer. */
    private Duration waitAfterFailure(RepeatedCall call, int attempts, ProcessingException failure) throws IOException {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        Duration wait = RepeatRules.allow(call.mayRepeat(retries.settings().rules()), cause)
                ? waitIfAllowed(call, attempts, null)
                : null;
        if (wait == null) {
            throw new IOException("the call was refused, and another attempt has failed: " + cause, failure);
        }
        return wait;
    }

    private @Nullable Duration waitIfAllowed(RepeatedCall call, int attempts, @Nullable Duration stated) {
        return call.isReplayable() ? retries.waitIfAllowed(attempts, stated) : null;
    }

    /** Waits at a place that was taken before, and leaves it. */
    private void await(Duration wait) throws IOException {
        try {
            retries.pause().sleep(wait);
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            retries.limits().leave();
        }
    }

    private static IOException interrupted() {
        Thread.currentThread().interrupt();
        return new InterruptedIOException("interrupted while the call waited to be made");
    }
}
