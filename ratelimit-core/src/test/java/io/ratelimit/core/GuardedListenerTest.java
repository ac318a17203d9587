package io.ratelimit.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.rules.RuleSet;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class GuardedListenerTest {

    private final RateLimitListener fragile = mock(RateLimitListener.class);
    private final RateLimitListener guarded = new GuardedListener(fragile);

    @Test
    void whatAListenerThrowsIsLoggedOnceAndGoesNoFurther() {
        doThrow(new NoClassDefFoundError("metrics")).when(fragile).onDecision(any(), any());
        doThrow(new IllegalStateException("closed")).when(fragile).onReload(any());
        doThrow(new AssertionError("closed")).when(fragile).onFailure(any(), any());
        Logger logger = (Logger) LoggerFactory.getLogger(GuardedListener.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        try {
            for (int i = 0; i < 3; i++) {
                assertThatCode(() -> {
                            guarded.onDecision(TestRequest.get("/"), mock(Decision.class));
                            guarded.onReload(RuleSet.open("orders"));
                            guarded.onFailure("rules", new IllegalStateException("gone"));
                        })
                        .doesNotThrowAnyException();
            }
        } finally {
            logger.detachAppender(lines);
        }
        verify(fragile, times(3)).onDecision(any(), any());
        verify(fragile, times(3)).onReload(any());
        verify(fragile, times(3)).onFailure(any(), any());
        assertThat(lines.list)
                .singleElement()
                .satisfies(line ->
                        assertThat(line.getFormattedMessage()).isEqualTo("A listener failed; this is reported once"));
    }
}
