package io.ratelimit.servlet;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;

/** What filters have wrapped, as the container made it. */
final class Wrapped {

    private Wrapped() {}

    static ServletRequest innermost(ServletRequest request) {
        ServletRequest inner = request;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner;
    }

    static ServletResponse innermost(ServletResponse response) {
        ServletResponse inner = response;
        while (inner instanceof ServletResponseWrapper wrapper) {
            inner = wrapper.getResponse();
        }
        return inner;
    }
}
