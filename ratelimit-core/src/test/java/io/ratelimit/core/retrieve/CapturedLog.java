package io.ratelimit.core.retrieve;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/** What some classes log while this is open, in order. */
public final class CapturedLog implements AutoCloseable {

    private final List<Logger> loggers;
    private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

    public CapturedLog(Class<?>... types) {
        loggers = Stream.of(types)
                .map(type -> (Logger) LoggerFactory.getLogger(type))
                .toList();
        appender.start();
        loggers.forEach(logger -> logger.addAppender(appender));
    }

    public List<String> errors() {
        return at(Level.ERROR);
    }

    public List<String> warnings() {
        return at(Level.WARN);
    }

    public List<String> infos() {
        return at(Level.INFO);
    }

    private List<String> at(Level level) {
        return List.copyOf(appender.list).stream()
                .filter(event -> event.getLevel() == level)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    @Override
    public void close() {
        loggers.forEach(logger -> logger.detachAppender(appender));
    }
}
