package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import java.util.List;

/** Asks one container after the other whether the request is its own. What belongs to none is not aborted. */
final class ContainerAbort implements ConnectionAbort {

    private final List<ConnectionAbort> containers = List.of(new TomcatAbort(), new JettyAbort(), new UndertowAbort());

    @Override
    public boolean abort(ServletRequest request, ServletResponse response) {
        ServletRequest innerRequest = unwrap(request);
        ServletResponse innerResponse = unwrap(response);
        for (ConnectionAbort container : containers) {
            if (container.abort(innerRequest, innerResponse)) {
                return true;
            }
        }
        return false;
    }

    private static ServletRequest unwrap(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner;
    }

    private static ServletResponse unwrap(ServletResponse response) {
        ServletResponse inner = response;
        while (inner instanceof ServletResponseWrapper wrapper) {
            inner = wrapper.getResponse();
        }
        return inner;
    }
}
