package io.ratelimit.core;

import static io.ratelimit.core.TestRequest.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import io.ratelimit.Decision;
import io.ratelimit.RateLimitListener;
import io.ratelimit.RequestContext;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ListenersTest {

    private static final RulesText RULES = new RulesText("service: test\nrules:\n  - { name: all, limits: [3/h] }\n");

    @TempDir
    private Path directory;

    /** One that the class path names. */
    public static final class Found implements RateLimitListener {

        static final AtomicInteger HEARD = new AtomicInteger();

        @Override
        public void onDecision(RequestContext context, Decision decision) {
            HEARD.incrementAndGet();
        }
    }

    @Test
    void allListenersHearAndOneThatThrowsKeepsNobodyFromHearing() {
        RateLimitListener fragile = mock(RateLimitListener.class);
        RateLimitListener sound = mock(RateLimitListener.class);
        doThrow(new IllegalStateException()).when(fragile).onDecision(any(), any());
        doThrow(new IllegalStateException()).when(fragile).onClose();
        try (RateLimitEngine engine = RateLimitEngine.builder()
                .rules(RULES)
                .listener(fragile)
                .listener(sound)
                .build()) {
            engine.start();
            assertThat(engine.limiter().allowRequest(get("/"))).isTrue();
        }
        verify(fragile).onDecision(any(), any());
        verify(sound).onDecision(any(), any());
        verify(sound).onReload(any());
        verify(sound).onClose();
    }

    @Test
    void aListenerOnTheClassPathIsFound() throws IOException {
        Path services = directory.resolve("META-INF/services");
        Files.createDirectories(services);
        Files.writeString(services.resolve(RateLimitListener.class.getName()), Found.class.getName());
        URL[] path = {directory.toUri().toURL()};
        Found.HEARD.set(0);
        try (URLClassLoader loader = new URLClassLoader(path, getClass().getClassLoader());
                RateLimitEngine engine = RateLimitEngine.builder()
                        .classLoader(loader)
                        .rules(RULES)
                        .build()) {
            engine.start();
            engine.limiter().decide(get("/"));
        }
        assertThat(Found.HEARD).hasValue(1);
    }

    @Test
    void aDecisionThatWaitsForTheStoreIsTimedUntilItIsThere() {
        ManualTimeSource time = new ManualTimeSource();
        RateLimitListener listener = mock(RateLimitListener.class);
        CompletableFuture<Decision> decision = new CompletableFuture<>();
        new DecisionTimer(listener, time, () -> true).time(() -> decision);
        time.advance(java.time.Duration.ofMillis(5));
        verify(listener, times(0)).onDecisionTime(5_000_000);
        decision.complete(EngineDecision.NO_LIMIT);
        verify(listener).onDecisionTime(5_000_000);
    }
}
