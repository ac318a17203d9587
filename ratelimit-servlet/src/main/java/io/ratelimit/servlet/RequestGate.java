package io.ratelimit.servlet;

import io.ratelimit.Decision;
import io.ratelimit.core.FaultLog;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HeaderField;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.Preflight;
import io.ratelimit.core.http.Refusal;
import jakarta.servlet.DispatcherType;
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
    private final FaultLog faults;

    RequestGate(HttpEngine http, FaultLog faults) {
        this.http = http;
        this.faults = faults;
    }

    HttpEngine http() {
        return http;
    }

    /**
     * Decides a request.
     *
     * @return true if it is to go on; otherwise it has been answered
     */
    boolean admit(HttpServletRequest request, HttpServletResponse response) {
        Refusal refusal;
        try {
            refusal = decide(request, response);
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            faults.report("The limiter failed, the request passes", e);
            return true;
        }
        if (refusal != null) {
            answer(refusal, response);
        }
        return refusal == null;
    }

    private @Nullable Refusal decide(HttpServletRequest request, HttpServletResponse response) {
        request.setAttribute(HttpEngine.ATTRIBUTE, http);
        Object charged = request.getAttribute(ChargedRequest.ATTRIBUTE);
        if (ChargedRequest.find(http, charged) != null || isFree(request)) {
            return null;
        }
        ServletRequestContext context = new ServletRequestContext(request);
        Decision decision = http.engine().limiter().decide(context);
        if (!decision.allowed()) {
            return http.answers().refuse(decision, context);
        }
        request.setAttribute(ChargedRequest.ATTRIBUTE, ChargedRequest.mark(http, context, decision, charged));
        if (!response.isCommitted()) {
            for (HeaderField field : http.answers().fields(decision)) {
                response.setHeader(field.name(), field.value());
            }
        }
        return null;
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
