package io.ratelimit.servlet;

import io.ratelimit.Decision;
import io.ratelimit.LimitStatus;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.Preflight;
import io.ratelimit.core.http.Refusal;
import io.ratelimit.core.queue.Turn;
import io.ratelimit.rules.OnExceeded;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Lets a request through to the application or answers it. Nothing that goes wrong here reaches the application, an
 * {@code Error} of an extension least of all: the request passes. Thread-safe.
 */
final class RequestGate {

    private static final String PASSES = "The limiter failed, the request passes";

    private final HttpEngine http;
    private final boolean isOfApplication;
    private final ResumeGuard resumes;
    private final ConnectionAbort aborts = new ContainerAbort();
    private final FaultLog faults;

    /**
     * Makes a gate.
     *
     * @param isOfApplication whether the servlet context names this engine, so that requests need not
     * @param resumes says which requests may wait
     */
    RequestGate(HttpEngine http, boolean isOfApplication, ResumeGuard resumes, FaultLog faults) {
        this.http = http;
        this.isOfApplication = isOfApplication;
        this.resumes = resumes;
        this.faults = faults;
    }

    HttpEngine http() {
        return http;
    }

    /** Decides a request, and lets it go on or answers it. */
    void pass(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Decided decided = decide(request);
        if (decided == null) {
            chain.doFilter(request, response);
        } else if (decided.allowed()) {
            goOn(decided, request, response, chain);
        } else if (!refuse(decided, request, response)) {
            chain.doFilter(request, response);
        }
    }

    /** What became of a request, with the request as it was decided. */
    private record Decided(Turn turn, boolean allowed, ServletRequestContext context) {}

    /** Null where the request was decided before or is free, or nobody can say. */
    private @Nullable Decided decide(HttpServletRequest request) {
        try {
            // Of several filters, the one that a request has passed last is meant.
            if (!isOfApplication || request.getAttribute(HttpEngine.ATTRIBUTE) != null) {
                request.setAttribute(HttpEngine.ATTRIBUTE, http);
            }
            if (ChargedRequest.find(http, request.getAttribute(ChargedRequest.ATTRIBUTE)) != null || isFree(request)) {
                return null;
            }
            ServletRequestContext context = new ServletRequestContext(request);
            Turn turn = http.engine().mayQueue() && resumes.allows(request)
                    ? http.engine().decideInTurn(context)
                    : Turn.now(http.engine().limiter().decide(context));
            return new Decided(turn, turn.decision().allowed(), context);
        } catch (Throwable e) {
            faults.report(PASSES, e);
            return null;
        }
    }

    /** Lets a request go on that has paid: whatever fails now, it is settled in the end, and keeps no place in a line. */
    private void goOn(Decided decided, HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Turn turn = decided.turn();
        ChargedRequest charged = ChargedRequest.mark(
                http, decided.context(), turn.decision(), request.getAttribute(ChargedRequest.ATTRIBUTE));
        tell(charged, request, response);
        if (turn.mustWait() && queue(turn, charged, request, response)) {
            return;
        }
        if (turn.decision().mustBeSettled()) {
            new RequestEnd(charged, request, response, faults).pass(chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Tells the application and the client; what is in front of us may have made the request or the response. */
    private void tell(ChargedRequest charged, HttpServletRequest request, HttpServletResponse response) {
        try {
            charged.leaveIn(request::setAttribute);
            if (!response.isCommitted()) {
                http.answers().tell(charged.decision(), response::setHeader);
            }
        } catch (Throwable e) {
            faults.report("A decision could not be told", e);
        }
    }

    /** Lets a request wait; false where the container does not, and it goes on at once. */
    private boolean queue(Turn turn, ChargedRequest charged, HttpServletRequest request, HttpServletResponse response) {
        QueuedRequest queued;
        try {
            queued = new QueuedRequest(turn, charged, request, response, faults);
        } catch (Throwable e) {
            faults.report("A request cannot wait for its turn and goes on at once", e);
            turn.goOnNow();
            return false;
        }
        queued.begin();
        return true;
    }

    /** False where the refusal cannot be made: in doubt the request passes. */
    private boolean refuse(Decided decided, HttpServletRequest request, HttpServletResponse response) {
        Decision decision = decided.turn().decision();
        Refusal refusal;
        try {
            if (isDropped(decision) && drop(request, response)) {
                return true;
            }
            refusal = http.answers().refuse(decision, decided.context());
        } catch (Throwable e) {
            faults.report(PASSES, e);
            return false;
        }
        answer(refusal, response);
        return true;
    }

    private boolean drop(HttpServletRequest request, HttpServletResponse response) {
        // Nobody gets to see it, but for the container's log of requests.
        response.setStatus(OnExceeded.DROP.status());
        return aborts.abort(request, response);
    }

    private static boolean isDropped(Decision decision) {
        LimitStatus refusing = decision.decidingLimit();
        return refusing != null && refusing.rule().onExceeded().action() == OnExceeded.Action.DROP;
    }

    /** An error page for a request that was answered before it came here, and a question about CORS, are free. */
    private static boolean isFree(HttpServletRequest request) {
        return request.getDispatcherType() == DispatcherType.ERROR
                || Preflight.is(request.getMethod(), name -> request.getHeader(name) != null);
    }

    /** A client that is gone needs no answer, and the application none of our trouble. */
    private void answer(Refusal refusal, HttpServletResponse response) {
        try {
            RefusalWriter.write(refusal, response);
        } catch (Throwable e) {
            faults.report("A refusal could not be written", e);
        }
    }
}
