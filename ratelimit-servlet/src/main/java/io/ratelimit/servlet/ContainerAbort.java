package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.util.List;

/** Asks one container after the other whether the request is its own. What belongs to none is not aborted. */
final class ContainerAbort implements ConnectionAbort {

    private final List<ConnectionAbort> containers = List.of(new TomcatAbort(), new JettyAbort(), new UndertowAbort());

    @Override
    public boolean abort(ServletRequest request, ServletResponse response) {
        ServletRequest innerRequest = Wrapped.innermost(request);
        ServletResponse innerResponse = Wrapped.innermost(response);
        for (ConnectionAbort container : containers) {
            if (container.abort(innerRequest, innerResponse)) {
                return true;
            }
        }
        return false;
    }
}
