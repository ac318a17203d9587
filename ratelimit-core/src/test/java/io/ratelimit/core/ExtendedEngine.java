package io.ratelimit.core;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import io.ratelimit.Decision;
import io.ratelimit.RequestContext;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.LoggerFactory;

/** An engine with extensions, whose clock stands still, and what it logs. */
final class ExtendedEngine implements AutoCloseable {

    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.ratelimit");
    private final RateLimitEngine engine;

    ExtendedEngine(String rules, UnaryOperator<RateLimitEngineBuilder> extensions) {
        log.start();
        logger.addAppender(log);
        engine = extensions
                .apply(RateLimitEngine.builder()
                        .timeSource(new ManualTimeSource())
                        .rules(new RulesText("service: test\n" + rules)))
                .build();
        engine.start();
        if (engine.rulesStatus().error() != null) {
            throw new AssertionError(engine.rulesStatus().error());
        }
    }

    Decision decide(RequestContext request) {
        return engine.limiter().decide(request);
    }

    boolean allows(RequestContext request) {
        return engine.limiter().allowRequest(request);
    }

    /** What is left in the deciding limit after a request. */
    long left(RequestContext request) {
        return decide(request).remaining();
    }

    /** Warnings and errors, with their stacks. */
    List<String> complaints() {
        return log.list.stream()
                .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
                .map(ExtendedEngine::text)
                .toList();
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    @Override
    public void close() {
        logger.detachAppender(log);
        engine.close();
    }
}
