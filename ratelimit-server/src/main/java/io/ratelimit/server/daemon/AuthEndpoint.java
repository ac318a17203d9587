package io.ratelimit.server.daemon;

import io.ratelimit.Decision;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.HttpAnswers;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.server.Request;

/**
 * Decides for nginx's {@code auth_request}, which knows three kinds of answers: 2xx passes, 401 and 403 refuse, and all else
 * is a failure. A refusal is 403 with the status that the client is to get in {@code X-RateLimit-Status}. Thread-safe.
 */
final class AuthEndpoint implements Endpoint {

    static final String STATUS = "X-RateLimit-Status";

    private final TokenBucketRateLimiter limiter;
    private final HttpAnswers answers;

    AuthEndpoint(TokenBucketRateLimiter limiter, HttpAnswers answers) {
        this.limiter = limiter;
        this.answers = answers;
    }

    @Override
    public CompletionStage<Answer> answer(Request request) {
        return limiter.decideAsync(new ProxiedRequest(request)).thenApply(this::tell);
    }

    private Answer tell(Decision decision) {
        List<HeaderField> fields = answers.fields(decision);
        if (decision.allowed()) {
            // Nobody comes back to say how the request went.
            decision.settlement().confirm();
            return Answer.empty(204, fields);
        }
        return Answer.empty(403, fields).with(STATUS, Integer.toString(answers.statusOf(decision)));
    }
}
