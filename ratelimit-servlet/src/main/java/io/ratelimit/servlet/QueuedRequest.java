package io.ratelimit.servlet;

import io.ratelimit.Decision;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.Refusal;
import io.ratelimit.core.queue.Turn;
import io.ratelimit.core.queue.Waiter;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;

/**
 * A request that waits for its turn without a thread. When it comes, the container dispatches the request to the servlet; if
 * the container gives up before, or the limiter ends, the client is refused after all. A client who goes away leaves its
 * place as soon as the container knows. Used for one request.
 */
final class QueuedRequest implements AsyncListener, Waiter {

    /** The turn comes by our timer; if that fails, the container's is not far. */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Turn turn;
    private final Refusal refusal;
    private final HttpEngine http;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final AsyncContext context;
    private final FaultLog faults;

    /** Makes a request that has become asynchronous wait. */
    QueuedRequest(
            Turn turn, HttpEngine http, HttpServletRequest request, HttpServletResponse response, FaultLog faults) {
        this.turn = turn;
        this.refusal = http.answers().refuse(turn.refusal(), new ServletRequestContext(request));
        this.http = http;
        this.request = request;
        this.response = response;
        this.context = request.startAsync(request, response);
        this.faults = faults;
    }

    /** Waits. */
    void begin() {
        context.setTimeout(Duration.ofNanos(turn.waitNanos()).plus(GRACE).toMillis());
        context.addListener(this);
        if (turn.decision().mustBeSettled()) {
            context.addListener(new RequestEnd(http, request, response, faults));
        }
        turn.await(this);
    }

    @Override
    public void goOn(Decision decision) {
        try {
            ChargedRequest charged = ChargedRequest.find(http, request.getAttribute(ChargedRequest.ATTRIBUTE));
            if (charged != null) {
                charged.withDecision(decision).leaveIn(request::setAttribute);
            }
            context.dispatch();
        } catch (RuntimeException | LinkageError e) {
            // An application that is being stopped serves nobody any more.
            faults.report("A request whose turn has come cannot go on", e);
            refuse();
        }
    }

    @Override
    public void turnAway() {
        refuse();
    }

    private void refuse() {
        try {
            writeRefusal();
            context.complete();
        } catch (RuntimeException | LinkageError e) {
            faults.report("A request that waited cannot be ended", e);
        }
    }

    private void writeRefusal() {
        try {
            RefusalWriter.write(refusal, response);
        } catch (IOException gone) {
            // Nobody is there any more to be told.
            return;
        } catch (RuntimeException | LinkageError e) {
            faults.report("A refusal could not be written", e);
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        if (turn.leave()) {
            refuse();
        }
    }

    /** The connection is lost, or the server ends: whoever is still there gets an answer. */
    @Override
    public void onError(AsyncEvent event) {
        if (turn.leave()) {
            refuse();
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {
        turn.leave();
    }

    /** Of the application, which has its turn. */
    @Override
    public void onStartAsync(AsyncEvent event) {}
}
