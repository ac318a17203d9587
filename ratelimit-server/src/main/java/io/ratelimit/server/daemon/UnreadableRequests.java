package io.ratelimit.server.daemon;

import java.util.Objects;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Answers requests that are no HTTP, or too large. A proxy that passes on what its client sends is told to refuse the client
 * as well: else a character that nobody may send in a header field would lift every limit, since proxies let requests pass
 * that the daemon cannot decide.
 */
final class UnreadableRequests implements Request.Handler {

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        int status = response.getStatus();
        String why = Objects.toString(request.getAttribute(ErrorHandler.ERROR_MESSAGE), "it cannot be read");
        Answer answer = Answer.problem(status, why);
        if (HttpStatus.isClientError(status)) {
            answer = answer.with(AuthEndpoint.STATUS, Integer.toString(status));
        }
        FrontDoor.write(answer, request, response, callback);
        return true;
    }
}
