package io.ratelimit.servlet;

import io.ratelimit.core.FaultLog;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpEngine;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Tells the limiter how a request went, once it is over: when the application returns, or when the asynchronous
 * processing that it has started completes. Used for one request.
 */
final class RequestEnd implements AsyncListener {

    private static final int SERVER_ERROR = 500;

    private final HttpEngine http;
    private final HttpServletRequest request;
    private final HttpServletResponse response;
    private final FaultLog faults;

    private volatile boolean failed;
    private volatile boolean asynchronous;
    private volatile @Nullable ChargedRequest lastSeen;

    RequestEnd(HttpEngine http, HttpServletRequest request, HttpServletResponse response, FaultLog faults) {
        this.http = http;
        this.request = request;
        this.response = response;
        this.faults = faults;
    }

    /** Lets the request go on, and settles it after. */
    void pass(FilterChain chain) throws IOException, ServletException {
        failed = true;
        try {
            chain.doFilter(new WatchedRequest(request), response);
            failed = false;
        } finally {
            if (!asynchronous) {
                settle();
            }
        }
    }

    private void settle() {
        try {
            look();
            ChargedRequest charged = lastSeen;
            if (charged != null) {
                charged.decision().settlement().complete(status());
            }
        } catch (Throwable e) {
            faults.report("A request could not be settled", e);
        }
    }

    /** Undertow clears the attributes of a request that has timed out or failed before it tells that it is complete. */
    private void look() {
        ChargedRequest charged = ChargedRequest.find(http, request.getAttribute(ChargedRequest.ATTRIBUTE));
        if (charged != null) {
            lastSeen = charged;
        }
    }

    /** Where the application threw, the container has yet to make an error of it. */
    private int status() {
        return failed && !response.isCommitted() ? SERVER_ERROR : response.getStatus();
    }

    @Override
    public void onComplete(AsyncEvent event) {
        settle();
    }

    /** What the application makes of it is its answer. */
    @Override
    public void onTimeout(AsyncEvent event) {
        look();
    }

    @Override
    public void onError(AsyncEvent event) {
        failed = true;
        look();
    }

    /** The listeners of a cycle do not hear of the next one. */
    @Override
    public void onStartAsync(AsyncEvent event) {
        event.getAsyncContext().addListener(this);
    }

    /** Hears at once that the request becomes asynchronous: a dispatch may end that before the application returns. */
    private final class WatchedRequest extends HttpServletRequestWrapper {

        WatchedRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync() {
            return watched(super.startAsync());
        }

        @Override
        public AsyncContext startAsync(ServletRequest started, ServletResponse answer) {
            return watched(super.startAsync(started, answer));
        }

        private AsyncContext watched(AsyncContext context) {
            if (!asynchronous) {
                asynchronous = true;
                context.addListener(RequestEnd.this);
            }
            return context;
        }
    }
}
