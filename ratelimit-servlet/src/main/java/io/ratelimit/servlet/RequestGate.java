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
 * Lets a request through to the application or answers it. Nothing that goes wrong here reaches the application: the
 * request passes. Thread-safe.
 */
final class RequestGate {

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
        Refusal refusal = null;
        boolean mustBeSettled = false;
        try {
            Turn turn = decide(request);
            if (turn != null && isDropped(turn.decision()) && drop(request, response)) {
                return;
            }
            if (turn != null && !turn.decision().allowed()) {
                refusal = http.answers().refuse(turn.decision(), new ServletRequestContext(request));
            } else if (turn != null) {
                tell(turn.decision(), response);
                if (turn.mustWait() && queue(turn, request, response)) {
                    return;
                }
                mustBeSettled = turn.decision().mustBeSettled();
            }
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            faults.report("The limiter failed, the request passes", e);
        }
        if (refusal != null) {
            answer(refusal, response);
        } else if (mustBeSettled) {
            new RequestEnd(http, request, response, faults).pass(chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    /** Null where the request was decided before or is free. */
    private @Nullable Turn decide(HttpServletRequest request) {
        // Of several filters, the one that a request has passed last is meant.
        if (!isOfApplication || request.getAttribute(HttpEngine.ATTRIBUTE) != null) {
            request.setAttribute(HttpEngine.ATTRIBUTE, http);
        }
        Object charged = request.getAttribute(ChargedRequest.ATTRIBUTE);
        if (ChargedRequest.find(http, charged) != null || isFree(request)) {
            return null;
        }
        ServletRequestContext context = new ServletRequestContext(request);
        Turn turn = http.engine().mayQueue() && resumes.allows(request)
                ? http.engine().decideInTurn(context)
                : Turn.now(http.engine().limiter().decide(context));
        if (turn.decision().allowed()) {
            ChargedRequest.mark(http, context, turn.decision(), charged).leaveIn(request::setAttribute);
        }
        return turn;
    }

    /** Lets a request wait; false where the container does not, and it goes on at once. */
    private boolean queue(Turn turn, HttpServletRequest request, HttpServletResponse response) {
        try {
            new QueuedRequest(turn, http, request, response, faults).begin();
            return true;
        } catch (RuntimeException | LinkageError e) {
            faults.report("A request cannot wait for its turn and goes on at once", e);
            turn.goOnNow();
            return false;
        }
    }

    private boolean drop(HttpServletRequest request, HttpServletResponse response) {
        // Nobody gets to see it, but for the container's log of requests.
        response.setStatus(OnExceeded.DROP.status());
        return aborts.abort(request, response);
    }

    private static boolean isDropped(Decision decision) {
        LimitStatus refusing = decision.allowed() ? null : decision.decidingLimit();
        return refusing != null && refusing.rule().onExceeded().action() == OnExceeded.Action.DROP;
    }

    private void tell(Decision decision, HttpServletResponse response) {
        if (!response.isCommitted()) {
            http.answers().tell(decision, response::setHeader);
        }
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
        } catch (IOException | RuntimeException | LinkageError e) {
            faults.report("A refusal could not be written", e);
        }
    }
}
