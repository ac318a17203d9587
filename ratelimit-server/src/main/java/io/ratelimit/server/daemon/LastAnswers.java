package io.ratelimit.server.daemon;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.handler.GracefulHandler;
import org.eclipse.jetty.util.Callback;

/**
 * Lets a server that stops answer what is under way, and those who ask meanwhile on connections that they have: they
 * cannot know that it leaves before it tells them, with the answer, that it closes the connection.
 */
final class LastAnswers extends GracefulHandler {

    LastAnswers(Handler answers) {
        super(answers);
    }

    @Override
    protected void handleShutdownRejection(Request request, Response response, Callback callback) {
        response.getHeaders().put(HttpFields.CONNECTION_CLOSE);
        try {
            getHandler().handle(request, response, callback);
        } catch (Exception e) {
            Response.writeError(request, response, callback, e);
        }
    }
}
