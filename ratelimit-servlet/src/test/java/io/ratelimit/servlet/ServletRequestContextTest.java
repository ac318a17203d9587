package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServletRequestContextTest {

    private final HttpServletRequest request = mock(HttpServletRequest.class);

    private String path(DispatcherType type) {
        when(request.getDispatcherType()).thenReturn(type);
        return new ServletRequestContext(request).path();
    }

    @ParameterizedTest
    @CsvSource({"/api, /orders, /api/orders", "'', /orders, /orders", "/orders, , /orders", "'', , /", "/api, /, /api/"
    })
    void servletPathAndPathInfoMakeThePath(String servletPath, String pathInfo, String path) {
        when(request.getServletPath()).thenReturn(servletPath);
        when(request.getPathInfo()).thenReturn(pathInfo);
        assertThat(path(DispatcherType.REQUEST)).isEqualTo(path);
    }

    @Test
    void aForwardIsJudgedByThePathThatTheClientAskedFor() {
        when(request.getServletPath()).thenReturn("/target");
        when(request.getAttribute(RequestDispatcher.FORWARD_SERVLET_PATH)).thenReturn("/api");
        when(request.getAttribute(RequestDispatcher.FORWARD_PATH_INFO)).thenReturn("/orders");
        assertThat(path(DispatcherType.FORWARD)).isEqualTo("/api/orders");
    }

    @Test
    void anAsyncDispatchIsJudgedByThePathThatTheClientAskedFor() {
        when(request.getServletPath()).thenReturn("/target");
        when(request.getAttribute(AsyncContext.ASYNC_SERVLET_PATH)).thenReturn("/orders");
        assertThat(path(DispatcherType.ASYNC)).isEqualTo("/orders");
    }

    @ParameterizedTest
    @CsvSource({"FORWARD", "ASYNC"})
    void aDispatchThatLeavesThePathIsJudgedByIt(DispatcherType type) {
        when(request.getServletPath()).thenReturn("/orders");
        assertThat(path(type)).isEqualTo("/orders");
    }

    @Test
    void aLaterDispatchDoesNotChangeThePath() {
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(request.getServletPath()).thenReturn("/orders", "/target");
        ServletRequestContext context = new ServletRequestContext(request);
        assertThat(context.path()).isEqualTo("/orders");
        assertThat(context.path()).isEqualTo("/orders");
    }

    @Test
    void cookiesThatCannotBeParsedAreNone() {
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(request.getCookies()).thenThrow(new NumberFormatException("x"));
        assertThat(new ServletRequestContext(request).cookie("client")).isNull();
    }

    @Test
    void whatIsNotThereIsNull() {
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        ServletRequestContext context = new ServletRequestContext(request);
        assertThat(context.user()).isNull();
        assertThat(context.peerAddress()).isNull();
        assertThat(context.cookie("client")).isNull();
        assertThat(context.headers("Accept")).isEmpty();
    }
}
