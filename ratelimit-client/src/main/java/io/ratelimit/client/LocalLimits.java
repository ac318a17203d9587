package io.ratelimit.client;

import io.ratelimit.core.RateLimitEngine;
import io.ratelimit.core.RateLimitEngineBuilder;
import io.ratelimit.core.TokenBucketRateLimiter;
import java.util.List;

/**
 * Decides in this process by the daemon's rules: an engine whose shared store is never there, so that each rule's
 * {@code onFailure} answers. Only this class and those beside it that it makes know the engine.
 */
final class LocalLimits implements Fallback {

    private final RateLimitEngine engine;

    /** Retrieves the rules, or what was kept of them, and follows them from then on. */
    LocalLimits(List<Daemon> daemons, LocalSettings settings) {
        RateLimitEngineBuilder builder = RateLimitEngine.builder()
                .rules(new DaemonRules(daemons))
                .store(new AbsentStore())
                .setting("maxClients", String.valueOf(settings.mostClients()));
        if (settings.lastGoodFile() != null) {
            builder.setting("lastGoodFile", settings.lastGoodFile().toString());
        }
        if (settings.pollInterval() != null) {
            builder.setting("pollInterval", settings.pollInterval().toMillis() + "ms");
        }
        engine = builder.build();
        engine.start();
    }

    @Override
    public RemoteDecision decide(SentRequest request, boolean look) {
        if (!engine.isReady()) {
            return PassedDecision.INSTANCE;
        }
        TokenBucketRateLimiter limiter = engine.limiter();
        return new LocalDecision(
                look ? limiter.lookAsync(request).toCompletableFuture().join() : limiter.decide(request));
    }

    @Override
    public void close() {
        engine.close();
    }
}
