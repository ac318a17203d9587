package io.ratelimit.servlet;

import io.ratelimit.Decision;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.http.ChargedRequest;
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
    private final ChargedRequest charged;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final AsyncContext context;
    private final long usualTimeout;
    private final FaultLog faults;

    /**
     * Makes a request asynchronous.
     *
     * @param charged the request as it stands in line
     * @throws IllegalStateException if the container does not let it wait
     */
    QueuedRequest(
            Turn turn,
            ChargedRequest charged,
            HttpServletRequest request,
            HttpServletResponse response,
            FaultLog faults) {
        this.turn = turn;
        this.charged = charged;
        this.request = request;
        this.response = response;
        this.context = request.startAsync(request, response);
        this.usualTimeout = context.getTimeout();
        this.faults = faults;
    }

    /** Waits; goes on at once where that fails. */
    void begin() {
        try {
            context.setTimeout(Duration.ofNanos(turn.waitNanos()).plus(GRACE).toMillis());
            context.addListener(this);
            turn.await(this);
        } catch (Throwable e) {
            faults.report("A request cannot wait for its turn and goes on at once", e);
            turn.goOnNow();
            goOn(turn.decision());
        }
    }

    /** With what was paid for the turn that it got, which may have been another's. */
    @Override
    public void goOn(Decision decision) {
        try {
            ChargedRequest paid = charged.withDecision(decision);
            paid.leaveIn(request::setAttribute);
            if (decision.mustBeSettled()) {
                context.addListener(new RequestEnd(paid, request, response, faults));
            }
            restoreTimeout();
            context.dispatch();
        } catch (IllegalStateException isOver) {
            // The client has just gone, or the application is being stopped and serves nobody any more.
            refundAndRefuse(decision);
        } catch (Throwable e) {
            faults.report("A request whose turn has come cannot go on", e);
            refundAndRefuse(decision);
        }
    }

    private void refundAndRefuse(Decision decision) {
        decision.settlement().refund();
        refuse();
    }

    /** Jetty keeps ours for what the application makes asynchronous; other containers begin anew, and may refuse. */
    private void restoreTimeout() {
        try {
            context.setTimeout(usualTimeout);
        } catch (IllegalStateException isBegunAnew) {
            return;
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
        } catch (IllegalStateException isOver) {
            return;
        } catch (Throwable e) {
            faults.report("A request that waited cannot be ended", e);
        }
    }

    private void writeRefusal() {
        try {
            Refusal refusal = charged.http().answers().refuse(turn.refusal(), charged.context());
            RefusalWriter.write(refusal, response);
        } catch (IOException | IllegalStateException gone) {
            // Nobody is there any more to be told.
            return;
        } catch (Throwable e) {
            faults.report("A refusal could not be written", e);
        }
    }

    @Override
    public void onTimeout(AsyncEvent event) {
        leaveRefused();
    }

    /** The connection is lost, or the server ends: whoever is still there gets an answer. */
    @Override
    public void onError(AsyncEvent event) {
        leaveRefused();
    }

    private void leaveRefused() {
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
