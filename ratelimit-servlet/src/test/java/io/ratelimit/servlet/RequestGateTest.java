package io.ratelimit.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import io.ratelimit.Settlement;
import io.ratelimit.core.ManualTimeSource;
import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.TokenBucketRateLimiter;
import io.ratelimit.core.http.ChargedRequest;
import io.ratelimit.core.http.HttpAnswers;
import io.ratelimit.core.http.HttpEngine;
import io.ratelimit.core.http.HttpSettings;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.FilterConfig;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RequestGateTest {

    private final ManualTimeSource time = new ManualTimeSource();
    private final TokenBucketRateLimiter limiter = mock(TokenBucketRateLimiter.class);
    private final RateLimitEngine engine = mock(RateLimitEngine.class);
    private final HttpServletRequest request = mock(HttpServletRequest.class);
    private final HttpServletResponse response = mock(HttpServletResponse.class);
    private final FilterChain chain = mock(FilterChain.class);
    private final RateLimitFilter filter = new RateLimitFilter(engine, new HttpAnswers(HttpSettings.DEFAULT, time));

    @BeforeEach
    void start() throws ServletException {
        when(engine.limiter()).thenReturn(limiter);
        when(engine.timeSource()).thenReturn(time);
        when(request.getDispatcherType()).thenReturn(DispatcherType.REQUEST);
        when(request.getMethod()).thenReturn("GET");
        FilterConfig config = mock(FilterConfig.class);
        when(config.getServletContext()).thenReturn(mock(ServletContext.class));
        when(config.getInitParameterNames()).thenReturn(Collections.emptyEnumeration());
        filter.init(config);
    }

    static List<Throwable> faults() {
        return List.of(
                new IllegalStateException("broken"),
                new NoClassDefFoundError("missing"),
                new StackOverflowError(),
                new AssertionError("of an extension"),
                new IOException("sneaked past the compiler"));
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aBrokenLimiterLetsTheRequestPass(Throwable fault) throws Exception {
        when(limiter.decide(any(RequestContext.class))).thenAnswer(call -> {
            throw fault;
        });
        filter.doFilter(request, response, chain);
        verify(chain).doFilter(request, response);
    }

    @ParameterizedTest
    @MethodSource("faults")
    void aRequestThatCannotBeToldWhatItHasLeftIsSettledAllTheSame(Throwable fault) throws Exception {
        Settlement settlement = mock(Settlement.class);
        Decision decision = mock(Decision.class);
        when(decision.allowed()).thenReturn(true);
        when(decision.mustBeSettled()).thenReturn(true);
        when(decision.settlement()).thenReturn(settlement);
        when(limiter.decide(any(RequestContext.class))).thenReturn(decision);
        doAnswer(call -> {
                    throw fault;
                })
                .when(request)
                .setAttribute(eq(ChargedRequest.ATTRIBUTE), any());
        filter.doFilter(request, response, chain);
        verify(chain).doFilter(any(), eq(response));
        verify(settlement).complete(anyInt());
    }

    @Test
    void faultsAreReportedOnceAMinute() throws Exception {
        when(limiter.decide(any(RequestContext.class))).thenThrow(new IllegalStateException("broken"));
        try (CapturedLog log = new CapturedLog(RateLimitFilter.class)) {
            filter.doFilter(request, response, chain);
            filter.doFilter(request, response, chain);
            filter.doFilter(request, response, chain);
            assertThat(log.messages())
                    .containsExactly("The limiter failed, the request passes (0 more since the last report)");
            time.advance(Duration.ofMinutes(1));
            filter.doFilter(request, response, chain);
            assertThat(log.messages())
                    .last()
                    .isEqualTo("The limiter failed, the request passes (2 more since the last report)");
        }
    }

    @Test
    void whatTheApplicationThrowsGoesThroughUnchanged() throws Exception {
        IOException thrown = new IOException("of the application");
        doThrow(thrown).when(chain).doFilter(any(), any());
        assertThatThrownBy(() -> filter.doFilter(request, response, chain)).isSameAs(thrown);
        verify(chain).doFilter(request, response);
    }

    @Test
    void aRequestIsMarkedWithItsEngineEvenWhereTheLimiterFails() throws Exception {
        when(limiter.decide(any(RequestContext.class))).thenThrow(new IllegalStateException("broken"));
        filter.doFilter(request, response, chain);
        verify(request).setAttribute(eq(HttpEngine.ATTRIBUTE), any(HttpEngine.class));
    }

    @Test
    void theOnlyEngineOfAnApplicationIsNamedByTheServletContextAlone() throws Exception {
        ServletContext context = mock(ServletContext.class);
        AtomicReference<Object> named = new AtomicReference<>();
        doAnswer(call -> {
                    named.set(call.getArgument(1));
                    return null;
                })
                .when(context)
                .setAttribute(eq(HttpEngine.ATTRIBUTE), any());
        when(context.getAttribute(HttpEngine.ATTRIBUTE)).thenAnswer(call -> named.get());
        FilterConfig config = mock(FilterConfig.class);
        when(config.getServletContext()).thenReturn(context);
        when(config.getInitParameterNames()).thenReturn(Collections.emptyEnumeration());
        filter.init(config);
        filter.doFilter(request, response, chain);
        verify(request, never()).setAttribute(eq(HttpEngine.ATTRIBUTE), any());

        when(request.getAttribute(HttpEngine.ATTRIBUTE)).thenReturn("of a filter before");
        filter.doFilter(request, response, chain);
        verify(request).setAttribute(HttpEngine.ATTRIBUTE, named.get());
    }

    @Test
    void anEngineOfTheApplicationIsNotClosed() {
        filter.destroy();
        verify(engine, never()).close();
    }

    @Test
    void afterItsEndTheFilterLetsRequestsPass() throws Exception {
        filter.destroy();
        filter.doFilter(request, response, chain);
        verify(limiter, never()).decide(any(RequestContext.class));
        verify(chain).doFilter(request, response);
    }

    @Test
    void neitherSessionNorBodyNorParametersAreTouched() throws Exception {
        when(limiter.decide(any(RequestContext.class))).thenAnswer(call -> {
            ServletRequestContext context = call.getArgument(0);
            context.user();
            context.peerAddress();
            context.cookie("c");
            context.headers("h");
            context.attribute("a");
            throw new IllegalStateException("seen enough");
        });
        filter.doFilter(request, response, chain);
        verify(request, never()).getSession();
        verify(request, never()).getSession(anyBoolean());
        verify(request, never()).getInputStream();
        verify(request, never()).getReader();
        verify(request, never()).getParameter(anyString());
        verify(request, never()).getParameterMap();
        verify(request, never()).authenticate(any());
        verify(response, never()).setStatus(anyInt());
    }

    @Test
    void anInitParamBesideAFinishedEngineIsAnError() {
        FilterConfig config = mock(FilterConfig.class);
        when(config.getFilterName()).thenReturn("limit");
        when(config.getInitParameterNames()).thenAnswer(call -> Collections.enumeration(List.of("rules")));
        RateLimitFilter finished = new RateLimitFilter(engine, new HttpAnswers(HttpSettings.DEFAULT, time));
        assertThatThrownBy(() -> finished.init(config))
                .isInstanceOf(ServletException.class)
                .hasMessageContaining("Filter 'limit': init-param 'rules' has no effect");
    }
}
