package io.ratelimit.server.daemon;

import io.ratelimit.server.daemon.Routes.Route;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Leads each request to what answers it, if it may ask. Holds no thread while the answer is made. */
final class FrontDoor extends Handler.Abstract.NonBlocking {

    private static final Logger LOG = LoggerFactory.getLogger(FrontDoor.class);

    private volatile Routes routes;
    private final Doorkeeper doorkeeper;
    private final AnswerWatch watch;

    FrontDoor(Routes routes, Doorkeeper doorkeeper, AnswerWatch watch) {
        this.routes = routes;
        this.doorkeeper = doorkeeper;
        this.watch = watch;
    }

    /** Leads requests to others from now on. */
    void open(Routes others) {
        routes = others;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        Routes now = routes;
        Route route = now.find(path);
        answer(now, route, request).whenComplete((answer, failure) -> {
            Answer made = failure == null ? answer : failed(failure);
            watch.answered(route == null ? "other" : path, made.status(), request.getHeadersNanoTime());
            write(made, request, response, callback);
        });
        return true;
    }

    private CompletionStage<Answer> answer(Routes now, @Nullable Route route, Request request) {
        try {
            if (route == null) {
                return done(now.missing());
            }
            if (!route.answers(request.getMethod())) {
                return done(Answer.problem(405, "this path answers " + route.allowed())
                        .with("Allow", route.allowed()));
            }
            return doorkeeper
                    .refuse(route.access(), request)
                    .<CompletionStage<Answer>>map(FrontDoor::done)
                    .orElseGet(() -> route.endpoint().answer(request));
        } catch (Throwable e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private static CompletionStage<Answer> done(Answer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    private static Answer failed(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        if (cause instanceof BadQuestionException bad) {
            Answer problem = Answer.problem(bad.status(), String.valueOf(bad.getMessage()));
            return bad.status() == HttpStatus.SERVICE_UNAVAILABLE_503 ? problem.with("Retry-After", "1") : problem;
        }
        if (cause instanceof HttpException http) {
            return Answer.problem(http.getCode(), String.valueOf(http.getReason()));
        }
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            // The caller has gone, or sends no more.
            return Answer.problem(HttpStatus.REQUEST_TIMEOUT_408, "the request did not come as a whole");
        }
        LOG.error("A request failed", cause);
        return Answer.problem(500, "the daemon failed; its log says why");
    }

    /** Writes an answer as the last of a request. */
    static void write(Answer answer, Request request, Response response, Callback callback) {
        response.setStatus(answer.status());
        answer.fields().forEach(field -> response.getHeaders().put(field.name(), field.value()));
        response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
        response.getHeaders().put("X-Content-Type-Options", "nosniff");
        if (!answer.contentType().isEmpty()) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.contentType());
        }
        boolean head = "HEAD".equals(request.getMethod());
        response.write(true, head ? ByteBuffer.allocate(0) : answer.body().duplicate(), callback);
    }
}
