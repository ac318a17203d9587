package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
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

    private List<String> sizes(DispatcherType type) {
        when(request.getDispatcherType()).thenReturn(type);
        return new ServletRequestContext(request).queryParameters("size");
    }

    @Test
    void parametersAreReadFromTheQueryAndNeverFromTheForm() {
        when(request.getQueryString()).thenReturn("a=1&size=5%30&size=%zz");
        assertThat(sizes(DispatcherType.REQUEST)).containsExactly("50", "%zz");
        verify(request, never()).getParameter(any());
        verify(request, never()).getParameterValues(any());
        verify(request, never()).getParameterMap();
    }

    @Test
    void aForwardIsJudgedByTheQueryThatTheClientSent() {
        when(request.getQueryString()).thenReturn("size=99");
        when(request.getAttribute(RequestDispatcher.FORWARD_SERVLET_PATH)).thenReturn("/api");
        assertThat(sizes(DispatcherType.FORWARD)).isEmpty();
        when(request.getAttribute(RequestDispatcher.FORWARD_QUERY_STRING)).thenReturn("size=5");
        assertThat(sizes(DispatcherType.FORWARD)).containsExactly("5");
    }

    @Test
    void anAsyncDispatchIsJudgedByTheQueryThatTheClientSent() {
        when(request.getQueryString()).thenReturn("size=99");
        when(request.getAttribute(AsyncContext.ASYNC_SERVLET_PATH)).thenReturn("/api");
        when(request.getAttribute(AsyncContext.ASYNC_QUERY_STRING)).thenReturn("size=5");
        assertThat(sizes(DispatcherType.ASYNC)).containsExactly("5");
    }

    @ParameterizedTest
    @CsvSource({"FORWARD", "ASYNC", "INCLUDE", "ERROR"})
    void aDispatchThatLeavesTheQueryIsJudgedByIt(DispatcherType type) {
        when(request.getQueryString()).thenReturn("size=5");
        assertThat(sizes(type)).containsExactly("5");
    }

    @Test
    void aLaterDispatchDoesNotChangeTheQuery() {
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(request.getQueryString()).thenReturn("size=5", "size=99");
        ServletRequestContext context = new ServletRequestContext(request);
        assertThat(context.queryParameters("size")).containsExactly("5");
        assertThat(context.queryParameters("size")).containsExactly("5");
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
        assertThat(context.queryParameters("size")).isEmpty();
    }
}
